"""LoCoMo (Maharana et al., 2024): ten long conversations, their questions, and facts a model wrote on them.

Flows in: the parsed file. Flows out: cases, and the problems met. Questions are numbered as in the audits of
the dataset: `locomo_<conversation>_qa<question>`, both counted from 0 in the file. `query`, the annotators'
search string for an image, and the summaries of sessions and events are not read.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal

from pydantic import Field

from meme_bench.cases import Asked, Case, Fact, Question, Talk, Turn
from meme_bench.sources.shapes import Shape, Text, checked

CATEGORIES: Final = {
    "1": "multi-hop",
    "2": "temporal",
    "3": "open-domain",
    "4": "single-hop",
    "5": "adversarial",
}
_ADVERSARIAL: Final = 5
_SESSION = re.compile(r"session_(\d+)")
_BETWEEN_IDS = re.compile(r"[;,\s]+")


class _Sample(Shape):
    sample_id: str
    conversation: dict[str, object]
    qa: list[object]
    observation: dict[str, object] = Field(default_factory=dict)


class _Turn(Shape):
    dia_id: str
    speaker: str
    text: str
    blip_caption: str | None = None


class _Question(Shape):
    question: str
    category: Literal[1, 2, 3, 4, 5]
    answer: Text | None = None
    adversarial_answer: Text | None = None
    evidence: list[str] = Field(default_factory=list)


def fits(item: Mapping[str, object]) -> bool:
    """Whether an object looks like one of LoCoMo's."""
    return "conversation" in item and "qa" in item


def categories(_: Sequence[Case]) -> dict[str, str]:
    """The names of the categories by their numbers, the same for every file."""
    return dict(CATEGORIES)


def read(items: Sequence[object]) -> tuple[tuple[Case, ...], tuple[str, ...]]:
    """The cases of a file in their order, and its problems."""
    problems: list[str] = []
    cases: dict[str, Case] = {}
    for number, raw in enumerate(items):
        sample = checked(_Sample, raw, f"conversation {number}", problems)
        if sample is None:
            continue
        if sample.sample_id in cases:
            problems.append(f"conversation {number}: `sample_id` {sample.sample_id!r} is taken; left out")
            continue
        turns = {turn.id: turn for turn in _turns(sample, problems)}
        if not turns:
            problems.append(f"{sample.sample_id}: nothing is said in it; left out")
            continue
        facts = tuple(_facts(sample, turns, problems))
        asked = tuple(_questions(sample, number, turns, problems))
        cases[sample.sample_id] = Case(Talk(sample.sample_id, tuple(turns.values()), facts), asked)
    return tuple(cases.values()), tuple(problems)


def _turns(sample: _Sample, problems: list[str]) -> Iterator[Turn]:
    seen: set[str] = set()
    for session, said_at, listed in _sessions(sample, problems):
        for position, raw in enumerate(listed):
            where = f"{sample.sample_id} {session}[{position}]"
            turn = checked(_Turn, raw, where, problems)
            if turn is None:
                continue
            captions = (turn.blip_caption,) if turn.blip_caption and turn.blip_caption.strip() else ()
            if turn.dia_id in seen:
                problems.append(f"{where}: `dia_id` {turn.dia_id!r} is taken; left out")
            elif not turn.text.strip() and not captions:
                problems.append(f"{where}: nothing is said; left out")
            else:
                seen.add(turn.dia_id)
                yield Turn(turn.dia_id, session, turn.speaker, turn.text, said_at, captions=captions)


def _sessions(sample: _Sample, problems: list[str]) -> Iterator[tuple[str, str, list[object]]]:
    """Name, date and turns of each session, by number: the file may hold session_10 before session_2."""
    told = sample.conversation
    found = sorted((key for key in told if _SESSION.fullmatch(key)), key=lambda key: int(key[8:]))
    for session in found:
        listed, said_at = told[session], told.get(_date_of(session))
        if not isinstance(listed, list):
            problems.append(f"{sample.sample_id} {session}: not a list of turns; left out")
        elif not isinstance(said_at, str) or not said_at.strip():
            problems.append(f"{sample.sample_id} {session}: `{_date_of(session)}` is missing; left out")
        else:
            yield session, said_at, listed
    dates = [key for key in told if key.endswith("_date_time") and key.removesuffix("_date_time") not in told]
    if dates:
        problems.append(
            f"{sample.sample_id}: {len(dates)} dates have no session ({dates[0]} to {dates[-1]}); not used"
        )


def _date_of(session: str) -> str:
    return f"{session}_date_time"


def _questions(
    sample: _Sample, number: int, turns: dict[str, Turn], problems: list[str]
) -> Iterator[Question]:
    for position, raw in enumerate(sample.qa):
        name = f"locomo_{number}_qa{position}"
        question = checked(_Question, raw, name, problems)
        if question is None:
            continue
        adversarial = question.category == _ADVERSARIAL
        if question.answer is None and not adversarial:
            problems.append(f"{name}: `answer` is missing; left out")
            continue
        if question.adversarial_answer is None and adversarial:
            problems.append(f"{name}: `adversarial_answer` is missing; asked without a bait")
        yield Question(
            asked=Asked(name, question.question),
            category=str(question.category),
            gold=None if question.answer is None else str(question.answer),
            evidence=_known(question.evidence, turns, f"{name}: evidence", problems),
            bait=str(question.adversarial_answer) if question.adversarial_answer is not None else None,
        )


def _facts(sample: _Sample, turns: dict[str, Turn], problems: list[str]) -> Iterator[Fact]:
    dated = {turn.session: turn.said_at for turn in turns.values()}
    for key, by_speaker in sample.observation.items():
        session = key.removesuffix("_observation")
        if session not in dated or not isinstance(by_speaker, dict):
            problems.append(f"{sample.sample_id} {key}: no facts by speaker on a known session; left out")
            continue
        for speaker, listed in by_speaker.items():
            pairs = listed if isinstance(listed, list) else [listed]
            for position, pair in enumerate(pairs):
                where = f"{sample.sample_id} {key} {speaker}[{position}]"
                match pair:
                    case [str(text), str(one)] if text.strip():
                        cited = [one]
                    case [str(text), [*many]] if text.strip() and all(isinstance(one, str) for one in many):
                        cited = many
                    case _:
                        problems.append(f"{where}: not a pair of a fact and its turns; left out")
                        continue
                sources = _known(cited, turns, f"{where}: source", problems)
                yield Fact(text, speaker, session, dated[session], sources)


def _known(cited: Iterable[str], turns: dict[str, Turn], where: str, problems: list[str]) -> tuple[str, ...]:
    """The cited turns that exist, each once; strings that hold several ids are split."""
    known: dict[str, None] = {}
    for text in cited:
        if text in turns:
            known[text] = None
            continue
        pieces = _BETWEEN_IDS.split(text.strip())
        unknown = [piece for piece in pieces if piece not in turns]
        known |= dict.fromkeys(piece for piece in pieces if piece in turns)
        if len(pieces) > 1:
            missing = f", without {', '.join(map(repr, unknown))}, which match no turn" if unknown else ""
            problems.append(f"{where} {text!r} holds {len(pieces)} ids; split{missing}")
        else:
            problems.append(f"{where} {text!r} matches no turn; left out")
    return tuple(known)
