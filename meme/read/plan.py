"""Question in, plan out: one model call, or the rules."""

from meme.llm import LLM, Request
from meme.llm.exchange import exchange
from meme.prompts import as_line, render
from meme.read.plan_by_rule import plan_by_rule
from meme.read.shapes import PlanPayload, PlanReply
from meme.records import Plan


def as_plan(question: str, reply: PlanReply) -> Plan:
    """A reply as a plan; the question itself is always its first query."""
    queries = tuple(dict.fromkeys(q.strip() for q in (question, *reply.queries) if q.strip()))
    return Plan(
        question=question,
        intent=reply.intent,
        queries=queries[:4],
        keywords=tuple(reply.keywords),
        persons=tuple(reply.persons),
        entities=tuple(reply.entities),
        since=reply.time.since if reply.time else None,
        until=reply.time.until if reply.time else None,
        needs=tuple(reply.needs),
    )


def plan_without_model(payload: PlanPayload) -> Plan:
    """The rules' plan: what `search` always uses, at no cost."""
    return as_plan(payload.question, plan_by_rule(payload))


async def plan(payload: PlanPayload, llm: LLM) -> Plan:
    """The model's plan. Raises ProviderError, ReplyError when its reply cannot be used.

    It is not asked for again: the rules plan as well, and cost nothing.
    """
    prompt = render(
        "plan",
        question=as_line(payload.question),
        asked=payload.asked_at.date().isoformat(),
        user=as_line(payload.user),
        persons=as_line(payload.persons),
    )
    request = Request("plan", payload, PlanReply, prompt.system, prompt.text)
    return as_plan(payload.question, await exchange(llm, request, PlanReply, tries=1))
