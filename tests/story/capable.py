"""A model that plays the story: it answers from its script, and reads short ids off the request."""

import json
from collections.abc import Iterable
from typing import Any

from meme.llm import Reply, Request
from meme.records import Usage
from meme.write.shapes import NewFact, ReconcilePayload


class Capable:
    """Plays `script`, the replies of each task in order. `asked` keeps the requests."""

    model = "capable"

    def __init__(self, **script: Iterable[dict[str, Any]]) -> None:
        self.script = {task: list(replies) for task, replies in script.items()}
        self.asked: list[Request] = []

    async def complete(self, request: Request) -> Reply:
        self.asked.append(request)
        if request.task == "reconcile":
            reply: Any = {
                "decisions": [self._verdict(fact, request.payload) for fact in request.payload.facts]
            }
        else:
            reply = self.script[request.task].pop(0)
        if request.task == "answer":
            refs = {one.text: one.ref for one in request.payload.evidence}
            reply = {**reply, "citations": [refs[text] for text in reply["citations"]]}
        return Reply(json.dumps(reply, ensure_ascii=False), model=self.model, usage=Usage(calls=1))

    def _verdict(self, fact: NewFact, payload: ReconcilePayload) -> dict[str, Any]:
        scripted = next((one for one in self.script["reconcile"] if one["new"] == fact.text), None)
        if scripted is None:
            return {"new": fact.ref, "op": "ADD", "id": None, "text": None, "reason": "New."}
        self.script["reconcile"].remove(scripted)
        refs = {one.text: one.ref for one in payload.near(fact)}
        return {**scripted, "new": fact.ref, "id": refs[scripted["id"]]}
