"""Evidence in, "is it enough, and what else to look for" out: one model call."""

import json
from collections.abc import Sequence

from meme.llm import LLM, Request
from meme.llm.reader import read
from meme.prompts import render
from meme.read.shapes import Evidence, ReflectPayload, ReflectReply
from meme.records import Usage


def quoted(evidence: Sequence[Evidence]) -> str:
    """Evidence as JSON lines: nothing inside a text can end its line or begin another."""
    lines = []
    for one in evidence:
        data: dict[str, object] = {"id": one.ref, "said": one.said_at.date().isoformat(), "text": one.text}
        if one.happened:
            data["happened"] = [
                one.happened.start.isoformat(),
                one.happened.end.isoformat(),
                one.happened.precision,
            ]
        if one.quotes:
            data["from"] = list(one.quotes)
        lines.append(json.dumps(data, ensure_ascii=False))
    return "\n".join(lines) or "none"


async def reflect(payload: ReflectPayload, llm: LLM) -> tuple[ReflectReply, Usage]:
    """The model's verdict on the evidence; queries that were tried before are taken out."""
    prompt = render(
        "reflect",
        question=json.dumps(payload.plan.question, ensure_ascii=False),
        tried=json.dumps(list(payload.tried), ensure_ascii=False),
        evidence=quoted(payload.evidence),
    )
    reply = await llm.complete(Request("reflect", payload, ReflectReply, prompt.system, prompt.text))
    verdict = read(reply, ReflectReply)
    tried = {query.casefold() for query in payload.tried}
    fresh = [query for query in verdict.queries if query.strip() and query.casefold() not in tried]
    return verdict.model_copy(update={"queries": fresh[:2]}), reply.usage
