"""Evidence in, answer out: one model call, its citations checked by code."""

from dataclasses import dataclass
from typing import Final

from meme.llm import LLM, Request
from meme.llm.exchange import exchange
from meme.prompts import as_line, render
from meme.read.context import context
from meme.read.shapes import AnswerPayload, AnswerReply

NOT_KNOWN: Final = "Not known"


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer with the short ids it rests on; `known` is False for an honest "not known"."""

    text: str
    refs: tuple[str, ...]
    known: bool
    why: str


async def answer(payload: AnswerPayload, llm: LLM, *, source: str | None = None) -> Answered:
    """The model's answer. One that cites nothing of what it was given does not count as known."""
    if not payload.evidence:
        return Answered(NOT_KNOWN, (), False, "Nothing in the memory is about this.")
    shown = context(payload.evidence, room=payload.room)
    prompt = render(
        "answer",
        source=source,
        question=as_line(payload.plan.question),
        asked=payload.asked_at.date().isoformat(),
        user=as_line(payload.user),
        evidence=shown.text,
    )
    request = Request("answer", payload, AnswerReply, prompt.system, prompt.text)
    found = await exchange(llm, request, AnswerReply)
    refs = tuple(ref for ref in dict.fromkeys(found.citations) if ref in shown.refs)
    if not found.known or not found.answer.strip():
        return Answered(NOT_KNOWN, (), False, found.why or "The evidence does not say.")
    if not refs:
        why = "The answer named no evidence it rests on, so it is not given."
        return Answered(NOT_KNOWN, (), False, why)
    return Answered(found.answer.strip(), refs, True, found.why)
