"""Field types of replies that forgive the usual slips of a model: what was meant is read, the rest is left.

Flows in: the JSON values of a reply. Flows out: values of the declared types. One bad field must not cost the
statement it stands in, and one bad statement not the reply; a field that decides is never guessed.
"""

from typing import Annotated, Any

from pydantic import BeforeValidator, ValidationError, WithJsonSchema, WrapValidator


def _text(value: Any) -> Any:
    if value is None:
        return ""
    if isinstance(value, list):
        return ", ".join(str(_text(one)) for one in value if one is not None)
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _texts(value: Any) -> Any:
    if isinstance(value, str):
        return [value] if value.strip() else []
    if not isinstance(value, list | tuple):
        return []
    return [one for one in map(_text, value) if isinstance(one, str) and one.strip()]


def _share(value: Any) -> float:
    number = isinstance(value, int | float) and not isinstance(value, bool) and value == value
    return min(max(float(value), 0.0), 1.0) if number else 0.5


def or_else(default: Any) -> WrapValidator:
    """`default` for a value that does not validate."""

    def lenient(value: Any, validate: Any) -> Any:
        try:
            return validate(value)
        except ValidationError:
            return default

    return WrapValidator(lenient)


Text = Annotated[str, BeforeValidator(_text)]
Texts = Annotated[
    list[str],
    BeforeValidator(_texts),
    # Small models under a schema repeat themselves without end: a list gets one. More is read, if it comes.
    WithJsonSchema({"type": "array", "items": {"type": "string"}, "maxItems": 12}),
]
Share = Annotated[
    float, BeforeValidator(_share), WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1})
]
