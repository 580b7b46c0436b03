"""Rows, entries and turns that the store tests are written with; vectors are hashed, 32 numbers long."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from meme.embed.hashing import HashingEmbedder
from meme.records import MemoryEntry, Scope, Turn
from meme.store.projection import Probe, Row

EMBEDDER = HashingEmbedder(32)
START = datetime(2025, 1, 1, 12, tzinfo=UTC)
ANA, BEN = Scope("ana"), Scope("ben")


def vector(text: str) -> bytes:
    """The text's hashed vector."""
    return asyncio.run(EMBEDDER.embed([text]))[0]


def row(key: int, text: str, scope: Scope = ANA, **fields: Any) -> Row:
    """An index row on day 100, with a vector and the key as its stamp unless told otherwise."""
    given: dict[str, Any] = {"stamp": key, "type": "memory", "start": 100, "end": 100, "vector": vector(text)}
    return Row(key=key, scope=scope, text=text, **{**given, **fields})


def probe(text: str, scope: Scope = ANA, **fields: Any) -> Probe:
    """One question for either index: with its words and with its vector."""
    return Probe(**{"scope": scope, "limit": 10, "text": text, "vector": vector(text), **fields})


def entry(number: int, content: str, scope: Scope = ANA, **fields: Any) -> MemoryEntry:
    """An entry said `number` minutes after START, with the id "m<number>"."""
    at = START + timedelta(minutes=number)
    return MemoryEntry(f"m{number}", scope, content, at, at, **fields)


def turn(number: int, text: str, scope: Scope = ANA, **fields: Any) -> Turn:
    """A turn by Ana, said `number` minutes after START, with the id "t<number>"."""
    at = START + timedelta(minutes=number)
    return replace(Turn(f"t{number}", scope, "Ana", text, at, at), **fields)
