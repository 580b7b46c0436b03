"""The JSON schema of a reply as it is sent to a model: what constrains, without what only explains.

pydantic's titles, descriptions and defaults cost prompt tokens in every call, and the prompts say more.
"""

from typing import Any, Final

from pydantic import BaseModel

_EXPLAINS: Final = {"title", "description", "default", "examples"}
_NAMED: Final = {"properties", "$defs"}  # their keys are names that somebody chose, not keywords
_LITERAL: Final = {"enum", "const", "required"}


def small_schema(shape: type[BaseModel]) -> dict[str, Any]:
    """The schema of `shape`, without titles, descriptions and defaults; it accepts the same values."""
    return {
        key: _slim(key, value) for key, value in shape.model_json_schema().items() if key not in _EXPLAINS
    }


def _slim(key: str, value: Any) -> Any:
    if key in _LITERAL:
        return value
    if isinstance(value, list):
        return [_slim("", one) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        name: _slim("" if key in _NAMED else name, one)
        for name, one in value.items()
        if key in _NAMED or name not in _EXPLAINS
    }
