"""Evidence in, "is it enough, and what else to look for" out: one model call."""

from collections.abc import Sequence

from meme import prompts
from meme.language.times import render, spot
from meme.llm import LLM, Request
from meme.llm.exchange import exchange
from meme.read.reflect_by_rule import reflect_by_rule
from meme.read.shapes import Evidence, ReflectPayload, ReflectReply


def quoted(evidence: Sequence[Evidence], *, sources: int = 0) -> str:
    """Evidence as JSON lines: nothing inside a text can end its line or begin another.

    The `sources` best are shown with what they were taken from.
    """
    lines = []
    best = {one.ref for one in sorted(evidence, key=lambda one: -one.score)[:sources]}
    for one in evidence:
        data: dict[str, object] = {"id": one.ref, "said": one.said_at.date().isoformat(), "text": one.text}
        if one.happened and not any(found.happened for found in spot(one.text, one.said_at)):
            data["happened"] = render(one.happened)
        if one.quotes and one.ref in best:
            data["from"] = list(one.quotes)
        lines.append(prompts.as_line(data))
    return "\n".join(lines) or "none"


async def reflect(payload: ReflectPayload, llm: LLM) -> ReflectReply:
    """The model's verdict on the evidence; queries that were tried before are taken out.

    Raises ReplyError when its reply cannot be used; it is not asked for again.
    """
    prompt = prompts.render(
        "reflect",
        question=prompts.as_line(payload.plan.question),
        tried=prompts.as_line(list(payload.tried)),
        evidence=quoted(payload.evidence),
    )
    request = Request("reflect", payload, ReflectReply, prompt.system, prompt.text)
    verdict = await exchange(llm, request, ReflectReply, tries=1)
    tried = {query.casefold() for query in payload.tried}
    fresh = [query for query in verdict.queries if query.strip() and query.casefold() not in tried]
    return verdict.model_copy(update={"queries": fresh[:2]})


def sufficient_by_rule(payload: ReflectPayload) -> bool:
    """Whether the rules find the evidence enough, at no cost."""
    return reflect_by_rule(payload).sufficient
