"""With a capable model, ten windows give exactly the store a person expects, and ten questions their answers.

The rendered prompts are kept beside the story: a change of theirs is a change to read. To accept it, run
the tests once with WRITE_GOLDEN=1.
"""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from meme import Meme, MemoryEntry
from meme.llm import Request
from meme.testing import make_parts
from tests.story.capable import Capable
from tests.story.questions import QUESTIONS, Question
from tests.story.windows import KNOWN_AT_THE_END, WINDOWS, Session

GOLDEN = Path(__file__).parent / "story" / "prompts"


def opened(folder: Path, llm: Capable) -> Meme:
    return Meme(user_id="mira", parts=make_parts(folder, llm=llm))


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store in which all windows were settled."""
    folder = tmp_path_factory.mktemp("story")
    for session in WINDOWS:
        tell(folder, session)
    return folder


def tell(folder: Path, session: Session) -> Capable:
    llm = Capable(extract=session.extract, reconcile=session.reconcile)
    with opened(folder, llm) as memory:
        memory.add_turns(
            [{**turn, "timestamp": session.day} for turn in session.turns], session_id=session.name
        )
        done = memory.finalize()
    assert (done.failed, done.pending) == ((), 0)
    assert texts(done.added) == session.added
    assert texts(done.updated) == session.updated
    assert texts(done.deleted) == session.deleted
    assert texts(done.unchanged) == session.unchanged
    assert done.coverage.share == 1.0
    assert llm.script == {"extract": [], "reconcile": []}, "a reply was not needed"
    return llm


def texts(entries: Sequence[MemoryEntry]) -> tuple[str, ...]:
    return tuple(entry.content for entry in entries)


def golden(name: str, requests: Sequence[Request]) -> None:
    """The user parts of all prompts of one window or question, as a model gets them."""
    rendered = "".join(f"### {request.task}\n{request.prompt}\n\n" for request in requests)
    file = GOLDEN / f"{name}.txt"
    if os.environ.get("WRITE_GOLDEN"):
        GOLDEN.mkdir(exist_ok=True)
        file.write_text(rendered, encoding="utf-8")
    assert rendered == file.read_text(encoding="utf-8")


def test_every_window_gives_what_a_person_expects_and_its_prompts_are_as_kept(tmp_path: Path) -> None:
    for number, session in enumerate(WINDOWS, 1):
        llm = tell(tmp_path, session)
        golden(f"window-{number:02d}", llm.asked)
    with opened(tmp_path, Capable()) as memory:
        assert set(texts(memory.list().entries)) == KNOWN_AT_THE_END


@pytest.mark.parametrize(("number", "question"), list(enumerate(QUESTIONS, 1)), ids=lambda one: str(one)[:40])
def test_every_question_gets_its_answer_with_what_it_rests_on(
    told: Path, number: int, question: Question
) -> None:
    plans = [question.plan] if question.plan else []
    llm = Capable(plan=plans, reflect=question.reflect, answer=[question.answer])
    with opened(told, llm) as memory:
        answer = memory.ask(question.text)
        rests_on = {memory.get(identity).content for identity in answer.citations}
    assert answer.abstained == (question.expected is None)
    assert answer.text == (question.expected or "Not known")
    assert rests_on == set(question.rests_on)
    assert llm.script == {"plan": [], "reflect": [], "answer": []}, "a reply was not needed"
    golden(f"question-{number:02d}", llm.asked)


def test_the_history_of_a_changed_fact_tells_all(told: Path) -> None:
    with opened(told, Capable()) as memory:
        price = next(one for one in memory.list().entries if "210 euros" in one.content)
        assert [event.verb for event in memory.history(price.id)] == ["ADD", "UPDATE"]
