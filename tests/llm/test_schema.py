"""The schema a model is sent: smaller than pydantic's, with the same meaning and every name kept."""

import json
from enum import Enum
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from meme.llm.schema import small_schema
from meme.read.shapes import AnswerReply, PlanReply, ReflectReply
from meme.write.shapes import ExtractReply, ReconcileReply


class Colour(Enum):
    """One of two."""

    RED = "red"
    TITLE = "title"


class Part(BaseModel):
    """A part."""

    title: str = Field(description="its title")
    description: str | None = None
    default: int = Field(default=3, ge=0, examples=[1])


class Whole(BaseModel):
    """A whole."""

    title: Part
    parts: list[Part] = Field(default=[], min_length=1)
    by_name: dict[str, Part] = {}
    kind: Literal["title", "default"] = "title"
    colour: Colour = Colour.RED
    pair: tuple[int, str] = (1, "a")
    enum: str = ""
    required: bool = False
    properties: list[str] = []


def keywords(schema: Any, *, names: bool = False) -> set[str]:
    """Every keyword in a schema; the names of properties and definitions are none."""
    if isinstance(schema, list):
        return {word for one in schema for word in keywords(one)}
    if not isinstance(schema, dict):
        return set()
    found = set() if names else set(schema)
    for key, value in schema.items():
        if key in ("enum", "const", "required") and not names:
            continue
        found |= keywords(value, names=not names and key in ("properties", "$defs"))
    return found


SHAPES = [Whole, ExtractReply, ReconcileReply, PlanReply, ReflectReply, AnswerReply]


@pytest.mark.parametrize("shape", SHAPES)
def test_nothing_that_only_explains_is_sent(shape: type[BaseModel]) -> None:
    assert not keywords(small_schema(shape)) & {"title", "description", "default", "examples"}
    assert len(json.dumps(small_schema(shape))) < 0.75 * len(json.dumps(shape.model_json_schema()))


@pytest.mark.parametrize("shape", SHAPES)
def test_every_keyword_that_constrains_is_kept(shape: type[BaseModel]) -> None:
    explains = {"title", "description", "default", "examples"}
    assert keywords(small_schema(shape)) == keywords(shape.model_json_schema()) - explains


def test_properties_and_values_may_be_named_like_keywords() -> None:
    schema = small_schema(Whole)
    assert schema["properties"].keys() == Whole.model_fields.keys()
    assert schema["properties"]["title"] == {"$ref": "#/$defs/Part"}
    assert schema["properties"]["kind"] == {"enum": ["title", "default"], "type": "string"}
    assert schema["required"] == ["title"]
    assert schema["$defs"]["Colour"] == {"enum": ["red", "title"], "type": "string"}
    assert schema["$defs"]["Part"] == {
        "type": "object",
        "properties": {
            "title": {"type": "string"},
            "description": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "default": {"type": "integer", "minimum": 0},
        },
        "required": ["title"],
    }


def test_pydantics_own_schema_is_left_alone() -> None:
    before = json.dumps(Whole.model_json_schema())
    small_schema(Whole)
    assert json.dumps(Whole.model_json_schema()) == before
