"""One request for an answer, in meme's own words, for systems that do not answer themselves.

Flows in: a question and quoted texts with their dates. Flows out: an answer by the configured model, by the
very prompt that meme answers with, so that what differs between systems is what they hand to the answerer.
"""

import asyncio
import json
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from meme import Config, ReplyError, Request, UsageError, build_llm
from meme_bench.cases import Asked
from meme_bench.records import Spent
from meme_bench.systems import Told, tokens

_PLACEHOLDER: Final = re.compile(r"\{(question|asked|user|evidence)\}")


class _Reply(BaseModel):
    """What the answer prompt asks for."""

    answer: str = ""
    citations: list[str] = []
    known: bool = True
    why: str = ""


@dataclass(frozen=True, slots=True)
class Quoted:
    """A text that is handed over, the day it was said in the dataset's words, and its source turns."""

    text: str
    said_at: str
    turns: tuple[str, ...]


class Answerer:
    """The configured model with meme's answer prompt."""

    def __init__(self, config: Config) -> None:
        self._llm = build_llm(config.llm)
        self._source = config.pipeline.custom_answer_prompt or _template()
        self._loop = asyncio.new_event_loop()

    def answer(self, asked: Asked, quoted: Sequence[Quoted], k: int) -> Told:
        """The model's answer. Raises ProviderError where it gave none, ReplyError for an unusable one."""
        if not quoted:
            return Told("Not known", True, "Nothing was found.")
        system, prompt = self._prompt(asked, quoted)
        started = time.perf_counter()
        reply = self._loop.run_until_complete(
            self._llm.complete(Request("answer", None, _Reply, system, prompt))
        )
        seconds = time.perf_counter() - started
        found = _read(reply.text)
        by_ref = {f"m{number}": one.turns for number, one in enumerate(quoted, 1)}
        refs = [ref for ref in dict.fromkeys(found.citations) if ref in by_ref]
        known = found.known and bool(found.answer.strip()) and bool(refs)  # as meme has it
        usage = reply.usage
        return Told(
            answer=found.answer.strip() if known else "Not known",
            abstained=not known,
            reason=found.why,
            hits=tuple(one.turns for one in quoted[:k]),
            cited=tuple(dict.fromkeys(turn for ref in refs for turn in by_ref[ref])) if known else (),
            spent={
                "answer": Spent(1, usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens, seconds)
            },
            context_tokens=tokens([one.text for one in quoted]),
        )

    def close(self) -> None:
        """Close connections; closing twice is harmless."""
        if self._loop.is_closed():
            return
        close = getattr(self._llm, "close", None)
        if close is not None:
            self._loop.run_until_complete(close())
        self._loop.close()

    def _prompt(self, asked: Asked, quoted: Sequence[Quoted]) -> tuple[str, str]:
        system, _, rest = self._source.rpartition("\n---\n")
        lines = [
            _as_line({"id": f"m{number}", "said": one.said_at, "text": one.text})
            for number, one in enumerate(quoted, 1)
        ]
        values = {
            "question": _as_line(asked.text),
            "asked": asked.at or time.strftime("%Y-%m-%d", time.gmtime()),
            "user": _as_line("The user"),
            "evidence": "\n".join(lines),
        }
        return system.strip(), _PLACEHOLDER.sub(lambda found: values[found[1]], rest).strip()


def needs_model(name: str, config: Config) -> None:
    """Raise UsageError where no model is configured."""
    if config.llm.provider == "rules":
        raise UsageError(
            f"{name} needs a model to answer: the rules cannot read a whole text. Set llm.base_url and "
            "--model, or compare by `meme-bench retrieval`."
        )


def _template() -> str:
    return files("meme").joinpath("prompts/answer.md").read_text(encoding="utf-8")


def _as_line(data: Any) -> str:
    """Data as one line of JSON: nothing inside a text can end the line."""
    text = json.dumps(data, ensure_ascii=False)
    return re.sub("[\u0085\u2028\u2029]", lambda end: f"\\u{ord(end[0]):04x}", text)


def _read(text: str) -> _Reply:
    """The JSON object of a reply, whatever stands around it."""
    begin, end = text.find("{"), text.rfind("}")
    try:
        return _Reply.model_validate_json(text[begin : end + 1])
    except ValidationError as error:
        raise ReplyError("The model's reply is not the JSON object that was asked for.") from error
