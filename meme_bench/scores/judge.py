"""A language model as judge, and how far it is to be trusted.

Flows in: a run, any model of meme's protocol, a variant of the prompt (judge.md). Flows out: `Verdicts`,
with the judge's own error rate on a bank of right, vague and wrong answers that it is given first. What needs
no judge is settled without one: errors, abstentions, refusals that patterns recognise, the bait as it stands.
A reply that cannot be read is an error of the judge, and never a score.
"""

import asyncio
import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Final, Literal

from pydantic import BaseModel, ValidationError

from meme import LLM, AccountError, ProviderError, Reply, Request, UnavailableError, Usage, UsageError
from meme_bench.records import Answered, Run
from meme_bench.scores import abstention
from meme_bench.scores.corrected import Correction, apply
from meme_bench.scores.intervals import Figure, rate
from meme_bench.scores.official import f1_of_words

Variant = Literal["strict", "lenient"]

_PLACEHOLDER: Final = re.compile(r"\{([a-z]+)\}")
_NO_GOLD: Final = "The question has no answer: it is not known, or the question is mistaken."
_AT_ONCE: Final = 8
_DECODER: Final = json.JSONDecoder()


class Verdict(BaseModel):
    """What the judge replies."""

    why: str = ""
    right: bool


@dataclass(frozen=True, slots=True)
class Marked:
    """An answer whose worth is known: of `kind` "right", "vague" or "wrong"."""

    question: str
    gold: str | None
    bait: str | None
    answer: str
    kind: str


@dataclass(frozen=True, slots=True)
class Reliability:
    """The judge on the bank: `error_rate` over readable verdicts, and which share of each kind it accepts.

    Accepted should be 1 for "right" and 0 for "vague" and "wrong".
    """

    error_rate: Figure
    accepted: dict[str, Figure]
    unreadable: int


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Whether each answer is right, by question id, and why the judge gave no verdict on others.

    `asked` counts the answers that went to the judge; the rest was settled without it. `fingerprint` changes
    with the prompt and the variant.
    """

    model: str
    variant: str
    fingerprint: str
    corrected: bool
    bank: Reliability
    right: dict[str, bool]
    errors: dict[str, str]
    asked: int
    usage: Usage


@dataclass(frozen=True, slots=True)
class _Judged:
    right: bool | None
    error: str
    usage: Usage


async def judge(
    run: Run,
    llm: LLM,
    *,
    variant: Variant = "strict",
    corrected: Mapping[str, Correction] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Verdicts:
    """Have `llm` judge the bank and then the run, against the audited key where one is given.

    `progress` is told how many answers are judged, of how many. Raises UsageError without a model, and
    AccountError when the endpoint refuses the key: asking on would not help.
    """
    if llm.model == "rules":
        raise UsageError("A judge needs a model: set llm.base_url or llm.api_key, and llm.model.")
    answers = run.answers if corrected is None else apply(run.answers, corrected)
    known = {one.question: settled(one) for one in answers}
    open_ones = [one for one in answers if known[one.question] is None]
    bank_items = bank()
    total, done, gate = len(bank_items) + len(open_ones), 0, asyncio.Semaphore(_AT_ONCE)

    async def ask(one: Marked) -> _Judged:
        nonlocal done
        async with gate:
            judged = await _ask(llm, one, variant)
        done += 1
        if progress:
            progress(done, total)
        return judged

    on_bank = await asyncio.gather(*map(ask, bank_items))
    on_run = await asyncio.gather(*(ask(_as_marked(one)) for one in open_ones))
    verdicts = {one.question: judged for one, judged in zip(open_ones, on_run, strict=True)}
    right = {name: value for name, value in known.items() if value is not None}
    right |= {name: one.right for name, one in verdicts.items() if one.right is not None}
    usage = sum((one.usage for one in (*on_bank, *on_run)), Usage())
    return Verdicts(
        model=llm.model,
        variant=variant,
        fingerprint=fingerprint(variant),
        corrected=corrected is not None,
        bank=_reliability(bank_items, on_bank),
        right=right,
        errors={name: one.error for name, one in verdicts.items() if one.error},
        asked=len(open_ones),
        usage=usage,
    )


def settled(one: Answered) -> bool | None:
    """What needs no judge: False for errors, refusals of answerable questions and baits, True for refusals.

    None where a judge has to look: any answer to an answerable question, and what is neither a refusal nor
    the bait as it stands, which may be a correction in a wording that no pattern knows.
    """
    if one.error:
        return False
    if not abstention.unanswerable(one):
        return False if abstention.refuses(one) or not one.answer.strip() else None
    found = abstention.outcome_of(one)
    if found in abstention.RIGHT:
        return True
    plain_bait = one.bait is not None and f1_of_words(one.answer, one.bait) >= 0.8
    return False if found == "hedged" or plain_bait or not one.answer.strip() else None


def bank() -> tuple[Marked, ...]:
    """The packaged answers of known worth."""
    text = resources.files("meme_bench.scores").joinpath("judge_bank.json").read_text(encoding="utf-8")
    return tuple(Marked(**row) for row in json.loads(text))


def fingerprint(variant: Variant) -> str:
    """Twelve hex digits that change with the prompt of a variant."""
    return hashlib.sha256("\n---\n".join(_prompt(variant)).encode()).hexdigest()[:12]


@lru_cache(maxsize=2)
def _prompt(variant: Variant) -> tuple[str, str]:
    """The system part with the rules of one variant, and the part with placeholders."""
    text = resources.files("meme_bench.scores").joinpath("judge.md").read_text(encoding="utf-8")
    rules, _, asked = text.rpartition("\n---\n")
    common, *variants = rules.split("\n## ")
    chosen = {part.partition("\n")[0]: part.partition("\n")[2] for part in variants}
    return f"{common.strip()}\n{chosen[variant].strip()}", asked.strip()


def _as_marked(one: Answered) -> Marked:
    gold = None if abstention.unanswerable(one) else one.gold
    return Marked(one.text, gold, one.bait, one.answer, "")


async def _ask(llm: LLM, one: Marked, variant: Variant) -> _Judged:
    system, asked = _prompt(variant)
    values = {
        "question": one.question,
        "gold": one.gold if one.gold is not None else _NO_GOLD,
        "bait": one.bait or "none",
        "answer": one.answer,
    }
    quoted = {name: json.dumps(value, ensure_ascii=False) for name, value in values.items()}
    prompt = _PLACEHOLDER.sub(lambda match: quoted[match[1]], asked)
    try:
        reply = await llm.complete(Request("judge", values, Verdict, system, prompt))
    except (AccountError, UnavailableError):
        raise  # a judge that is down gives no figures
    except ProviderError as error:
        return _Judged(None, type(error).__name__, Usage())
    verdict = _read(reply)
    return _Judged(verdict.right if verdict else None, "" if verdict else "Unreadable", reply.usage)


def _read(reply: Reply) -> Verdict | None:
    """The last verdict in a reply, after any thinking; None where there is none or the reply was cut."""
    if reply.finish == "length":
        return None
    text, found, at = reply.text.rpartition("</think>")[2], None, 0
    while (at := text.find("{", at)) >= 0:
        try:
            value, at = _DECODER.raw_decode(text, at)
            found = Verdict.model_validate(value, strict=True)
        except ValidationError:
            continue
        except (ValueError, RecursionError):
            at += 1
    return found


def _reliability(items: Sequence[Marked], judged: Sequence[_Judged]) -> Reliability:
    read = [(one.kind, got.right) for one, got in zip(items, judged, strict=True) if got.right is not None]
    return Reliability(
        error_rate=rate([accepted != (kind == "right") for kind, accepted in read]),
        accepted={
            kind: rate([accepted for its, accepted in read if its == kind])
            for kind in ("right", "vague", "wrong")
        },
        unreadable=len(items) - len(read),
    )
