"""Replies kept on disk, one JSON file each, named after everything that decides what a model answers.

Flows in: requests. Flows out: replies, from the folder or from the model. Files are written whole or not
at all, readable by their owner only, and safe for several processes. Nothing is ever removed here.
"""

import hashlib
import json
import os
import tempfile
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter

from meme.errors import ConfigError, ProviderError, ReplyError, TruncatedError
from meme.llm import LLM, Reply, Request
from meme.llm.reader import read
from meme.llm.wrap import Around
from meme.records import Usage

_REPLY: Final = TypeAdapter(Reply)


class Folder:
    """Replies of one model by request. `salt` keeps apart what the request does not show.

    The folder is made by the first `put`, or by `prepare`.
    """

    def __init__(self, path: Path, *, model: str, salt: str = "") -> None:
        self.path, self._model, self._salt = path, model, salt

    def prepare(self) -> None:
        """Make the folder, before a model is paid for. Raises ConfigError when that fails."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(f"Replies cannot be kept in {self.path}: {error.strerror}.") from error

    def get(self, request: Request) -> Reply | None:
        """The reply kept for `request`; None when there is none, or its file cannot be read."""
        try:
            kept = json.loads(self._file(request).read_text(encoding="utf-8"))
            return _REPLY.validate_python(kept["reply"])
        except (OSError, ValueError, RecursionError, KeyError, TypeError):
            return None

    def put(self, request: Request, reply: Reply) -> None:
        """Keep `reply`, in the place of an earlier one. Raises ProviderError when it cannot be written."""
        self.prepare()
        file = self._file(request)
        # The request is there for people: a hash alone would not tell what was asked.
        about = {"task": request.task, "system": request.system, "prompt": request.prompt}
        text = json.dumps({**about, "reply": asdict(reply)}, indent=1)
        staged = ""
        try:
            handle, staged = tempfile.mkstemp(dir=self.path, suffix=".part")
            with os.fdopen(handle, "w", encoding="utf-8") as out:
                out.write(text)
            os.replace(staged, file)
        except OSError as error:
            if staged:
                Path(staged).unlink(missing_ok=True)
            raise ProviderError(f"A reply cannot be kept in {self.path}: {error.strerror}.") from error

    def _file(self, request: Request) -> Path:
        parts = (self._model, self._salt, request.task, request.system, request.prompt)
        known = json.dumps([*parts, request.shape.model_json_schema()], sort_keys=True)
        return self.path / f"{hashlib.sha256(known.encode()).hexdigest()}.json"


class Cached(Around):
    """An LLM that is asked once: a hit costs nothing. Only replies that can be read are kept."""

    def __init__(self, llm: LLM, folder: Path, salt: str = "") -> None:
        super().__init__(llm)
        self._folder = Folder(folder, model=llm.model, salt=salt)

    async def complete(self, request: Request) -> Reply:
        """See LLM. Raises ConfigError when the folder cannot be made."""
        kept = self._folder.get(request)
        if kept is not None and _is_readable(kept, request):
            return replace(kept, usage=Usage())
        self._folder.prepare()
        reply = await self._llm.complete(request)
        if _is_readable(reply, request):
            self._folder.put(request, reply)
        return reply


class Recorder(Around):
    """An LLM that always asks, and keeps every reply, the bad ones too."""

    def __init__(self, llm: LLM, folder: Path) -> None:
        super().__init__(llm)
        self._folder = Folder(folder, model=llm.model)

    async def complete(self, request: Request) -> Reply:
        """See LLM. Raises ConfigError when the folder cannot be made."""
        self._folder.prepare()
        reply = await self._llm.complete(request)
        self._folder.put(request, reply)
        return reply


class Replayed:
    """What a Recorder kept of `model`, with the usage it had then. Calls nobody."""

    def __init__(self, folder: Path, *, model: str) -> None:
        self._folder, self._model = Folder(folder, model=model), model

    @property
    def model(self) -> str:
        """See LLM."""
        return self._model

    async def complete(self, request: Request) -> Reply:
        """See LLM. Raises ProviderError for a request that was not recorded."""
        kept = self._folder.get(request)
        if kept is None:
            raise ProviderError(
                f"{self._folder.path} has no reply of {self._model} to this {request.task!r} request: its "
                "prompt, shape or model is not the recorded one. Record it again with a Recorder."
            )
        return kept


def _is_readable(reply: Reply, request: Request) -> bool:
    try:
        read(reply, request.shape)
    except (ReplyError, TruncatedError):
        return False
    return True
