"""Evidence in, "is it enough, and what else to look for" out: one model call."""

from meme.llm import LLM, Request
from meme.llm.exchange import exchange
from meme.prompts import as_line, render
from meme.read.context import context
from meme.read.reflect_by_rule import reflect_by_rule
from meme.read.shapes import ReflectPayload, ReflectReply


async def reflect(payload: ReflectPayload, llm: LLM) -> ReflectReply:
    """The model's verdict on the evidence; queries that were tried before are taken out.

    Raises ReplyError when its reply cannot be used; it is not asked for again.
    """
    prompt = render(
        "reflect",
        question=as_line(payload.plan.question),
        tried=as_line(list(payload.tried)),
        evidence=context(payload.evidence, room=payload.room, sources=0).text,
    )
    request = Request("reflect", payload, ReflectReply, prompt.system, prompt.text)
    verdict = await exchange(llm, request, ReflectReply, tries=1)
    tried = {query.casefold() for query in payload.tried}
    fresh = [query for query in verdict.queries if query.strip() and query.casefold() not in tried]
    return verdict.model_copy(update={"queries": fresh[:2]})


def sufficient_by_rule(payload: ReflectPayload) -> bool:
    """Whether the rules find the evidence enough, at no cost."""
    return reflect_by_rule(payload).sufficient
