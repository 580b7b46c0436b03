"""Settings, and the parts built from them. The only reader of the environment and of files.

Builder arguments win over the environment, the environment over `config.toml`, that over the
defaults; `origins` remembers which it was. Unknown or wrong settings raise ConfigError.
"""

import os
import random
import secrets
import time
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

from meme.embed import Embedder
from meme.embed.hashing import HashingEmbedder
from meme.embed.local import DEFAULT_DIMENSION, DEFAULT_MODEL, LocalEmbedder
from meme.embed.openai import OpenAIEmbedder
from meme.endpoint import Endpoint
from meme.errors import ConfigError
from meme.llm import LLM
from meme.llm.kept import Cached
from meme.llm.openai import OpenAIChat
from meme.llm.rules import Rules
from meme.llm.wrap import Retried
from meme.parts import Parts, StoreThread, Tuning
from meme.patience import Patience
from meme.prompts import check
from meme.read.answer_by_rule import answer_by_rule
from meme.read.plan_by_rule import plan_by_rule
from meme.read.reflect_by_rule import reflect_by_rule
from meme.store.store import Store
from meme.write.extract_by_rule import extract_by_rule
from meme.write.reconcile_by_rule import reconcile_by_rule

DEFAULT_USER: Final = "default"
EMBEDDING_MODELS: Final = {"onnx": DEFAULT_MODEL, "api": "text-embedding-3-small"}
_OPENAI_URL: Final = "https://api.openai.com/v1"


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True)


class LLMConfig(_Section):
    """The language model. "rules" needs no key; "openai" is any OpenAI-compatible endpoint.

    `cache` is a folder in which a model's replies are kept, so that the same question is paid for once.
    """

    provider: Literal["rules", "openai"] = "rules"
    api_key: SecretStr | None = None
    base_url: str = _OPENAI_URL
    model: str = "gpt-4.1-mini"
    temperature: float = Field(default=0.1, ge=0, le=2)
    max_retries: int = Field(default=3, ge=0)
    timeout: float = Field(default=60.0, gt=0)
    max_tokens: int | None = Field(default=None, gt=0)
    cache: Path | None = None


class EmbeddingConfig(_Section):
    """The embedder. "onnx" runs here, "api" is an OpenAI-compatible /embeddings, "hashing" needs no model."""

    provider: Literal["onnx", "api", "hashing"] = "onnx"
    model: str | None = None
    dimension: int | None = Field(default=None, gt=0)
    api_key: SecretStr | None = None
    base_url: str | None = None


class StoreConfig(_Section):
    """Where the memory lies. One folder and table name is one store: journal, vectors and lexicon."""

    lancedb_path: Path | None = None
    table_name: str = Field(default="memories", pattern=r"^[A-Za-z0-9_-]+$")


class PipelineConfig(_Section):
    """How dialogue becomes entries, and how much a question may look at."""

    window_size: int = Field(default=40, ge=1)
    overlap_size: int = Field(default=2, ge=0)
    semantic_top_k: int = Field(default=25, ge=1)
    keyword_top_k: int = Field(default=5, ge=1)
    structured_top_k: int = Field(default=5, ge=1)
    enable_planning: bool = True
    enable_reflection: bool = True
    max_reflection_rounds: int = Field(default=2, ge=0)
    context_tokens: int = Field(default=1_600, ge=100)
    dialogue_context: bool = True
    max_build_workers: int = Field(default=16, ge=1)
    max_retrieval_workers: int = Field(default=8, ge=1)
    enable_rerank: bool = False
    flush_before_ask: bool = True
    ignored_roles: tuple[str, ...] = ("system", "tool")
    custom_extraction_prompt: str | None = None
    custom_answer_prompt: str | None = None
    timezone: str = "UTC"

    @field_validator("enable_rerank")
    @classmethod
    def _is_available(cls, value: bool) -> bool:
        if value:
            raise ValueError("this version has no reranker; leave it false")
        return value

    @field_validator("ignored_roles", mode="before")
    @classmethod
    def _as_list(cls, value: Any) -> Any:
        return [one.strip() for one in value.split(",") if one.strip()] if isinstance(value, str) else value

    @field_validator("timezone")
    @classmethod
    def _is_known(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (KeyError, ValueError, OSError) as error:
            raise ValueError(f"{value!r} is no IANA time zone such as 'Europe/Lisbon'") from error
        return value


class Config(_Section):
    """All settings, one section each."""

    llm: LLMConfig = LLMConfig()
    embedding: EmbeddingConfig = EmbeddingConfig()
    store: StoreConfig = StoreConfig()
    pipeline: PipelineConfig = PipelineConfig()


SECTIONS: Final[dict[str, type[_Section]]] = {
    "llm": LLMConfig,
    "embedding": EmbeddingConfig,
    "store": StoreConfig,
    "pipeline": PipelineConfig,
}


@dataclass(frozen=True, slots=True)
class Settings:
    """A validated Config with where each value came from, and meme's own folder."""

    config: Config
    origins: Mapping[str, str]
    home: Path

    @property
    def folder(self) -> Path:
        """The store's folder."""
        return (self.config.store.lancedb_path or self.home / "lancedb").expanduser()


def load(given: Config | None = None, overrides: Mapping[str, Any] | None = None) -> Settings:
    """Settings from all four sources.

    `given` is a caller's Config (only fields it set count); `overrides` are `section.key` values
    given even more directly. Raises ConfigError that names file, key and allowed values.
    """
    home = Path(os.environ.get("MEME_HOME") or "~/.meme").expanduser()
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for origin, found in (
        *_from_file(home / "config.toml"),
        *_from_environment(),
        *_from_config(given),
        *(("argument", {name: value}) for name, value in (overrides or {}).items() if value is not None),
    ):
        for name, value in found.items():
            values[name], origins[name] = value, origin
    _imply_openai(values, origins)
    values.setdefault("embedding.model", EMBEDDING_MODELS.get(values.get("embedding.provider", "onnx")))
    sections = {section: _validated(section, values, origins) for section in SECTIONS}
    config = Config.model_validate(sections)
    _check_prompts(config.pipeline)
    return Settings(config, origins, home)


def _imply_openai(values: dict[str, Any], origins: dict[str, str]) -> None:
    """A key or a URL without a provider means an endpoint; OPENAI_API_KEY only fills in a key."""
    if "llm.provider" not in values:
        for name in ("llm.api_key", "llm.base_url"):
            if name in values:
                values["llm.provider"], origins["llm.provider"] = "openai", f"implied by {name}"
                break
    ambient = os.environ.get("OPENAI_API_KEY")
    if values.get("llm.base_url", _OPENAI_URL) != _OPENAI_URL:
        return  # OpenAI's key is for nobody else
    if values.get("llm.provider") == "openai" and "llm.api_key" not in values and ambient:
        values["llm.api_key"], origins["llm.api_key"] = ambient, "environment OPENAI_API_KEY"


def _from_file(path: Path) -> list[tuple[str, dict[str, Any]]]:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}.") from error
    found = {}
    for section, keys in data.items():
        if section not in SECTIONS or not isinstance(keys, dict):
            raise ConfigError(f"{path}: unknown section [{section}]; known: {', '.join(SECTIONS)}.")
        found.update({f"{section}.{key}": value for key, value in keys.items()})
    return [(str(path), found)]


def _from_environment() -> list[tuple[str, dict[str, Any]]]:
    found = []
    for variable, value in os.environ.items():
        parts = variable.split("_", 2)
        if len(parts) == 3 and parts[0] == "MEME" and parts[1].lower() in SECTIONS and value:
            name = f"{parts[1].lower()}.{parts[2].lower()}"
            found.append((f"environment {variable}", {name: value}))
    return found


def _from_config(given: Config | None) -> list[tuple[str, dict[str, Any]]]:
    if given is None:
        return []
    found = {}
    for section in given.model_fields_set:
        chosen = getattr(given, section)
        found.update({f"{section}.{key}": getattr(chosen, key) for key in chosen.model_fields_set})
    return [("argument", found)]


def _validated(section: str, values: Mapping[str, Any], origins: Mapping[str, str]) -> _Section:
    keys = {name.split(".", 1)[1]: value for name, value in values.items() if name.startswith(f"{section}.")}
    shape = SECTIONS[section]
    try:
        return shape(**keys)
    except ValidationError as error:
        first = error.errors()[0]
        key = str(first["loc"][0])
        origin = origins.get(f"{section}.{key}", "argument")
        if first["type"] == "extra_forbidden":
            known = ", ".join(sorted(shape.model_fields))
            raise ConfigError(f"{origin}: unknown setting {section}.{key}; known: {known}.") from error
        told = str(first["msg"]).removeprefix("Value error, ").rstrip(".")
        raise ConfigError(f"{origin}: {section}.{key}: {told}.") from error


_ANSWERS: Final = {"question", "asked", "user", "evidence"}


def _check_prompts(pipeline: PipelineConfig) -> None:
    if pipeline.custom_extraction_prompt is not None:
        check(pipeline.custom_extraction_prompt, {"turns", "missing"}, where="custom_extraction_prompt")
    if pipeline.custom_answer_prompt is not None:
        check(pipeline.custom_answer_prompt, _ANSWERS, where="custom_answer_prompt")


# ---------------------------------------------------------------- building the parts


def now() -> datetime:
    """The wall clock, in UTC."""
    return datetime.now(UTC)


def new_id() -> str:
    """A time-ordered UUID (version 7 of RFC 9562): 48 bits of milliseconds, then random bits."""
    value = (time.time_ns() // 1_000_000) << 80 | secrets.randbits(80)
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    text = f"{value:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def build_llm(config: LLMConfig, *, at_once: int = 16) -> LLM:
    """The configured model, at most `at_once` calls at a time; "rules" is the table of the stages' rules."""
    if config.provider == "openai":
        endpoint = _endpoint(config.base_url, config.api_key, config)
        chat = OpenAIChat(
            endpoint, model=config.model, temperature=config.temperature, max_tokens=config.max_tokens
        )
        retried = Retried(chat, _patience(config, at_once))
        if config.cache is None:
            return retried
        return Cached(retried, config.cache.expanduser(), salt=f"{config.base_url} {config.temperature}")
    return Rules(
        {
            "extract": extract_by_rule,
            "reconcile": reconcile_by_rule,
            "plan": plan_by_rule,
            "reflect": reflect_by_rule,
            "answer": answer_by_rule,
        }
    )


def _endpoint(base_url: str, key: SecretStr | None, config: LLMConfig) -> Endpoint:
    secret = key.get_secret_value() if key else None
    return Endpoint(base_url=base_url, api_key=secret, timeout=config.timeout)


def _patience(config: LLMConfig, at_once: int) -> Patience:
    return Patience(config.max_retries, at_once, jitter=random.random)


def build_embedder(config: Config) -> Embedder:
    """The configured embedder; an api one falls back to the model's key and URL."""
    chosen = config.embedding
    if chosen.provider == "hashing":
        return HashingEmbedder(chosen.dimension or 384)
    if chosen.provider == "onnx":
        if chosen.model in (None, DEFAULT_MODEL) and chosen.dimension not in (None, DEFAULT_DIMENSION):
            raise ConfigError(
                f"embedding.dimension: {DEFAULT_MODEL} has {DEFAULT_DIMENSION} dimensions; leave it out."
            )
        cache = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "meme"
        return LocalEmbedder(chosen.model or EMBEDDING_MODELS["onnx"], cache, dimension=chosen.dimension)
    url = chosen.base_url or config.llm.base_url
    key = chosen.api_key or (config.llm.api_key if url == config.llm.base_url else None)
    return OpenAIEmbedder(
        _endpoint(url, key, config.llm),
        _patience(config.llm, config.pipeline.max_build_workers),
        model=chosen.model or EMBEDDING_MODELS["api"],
        dimension=chosen.dimension,
    )


def build(settings: Settings, *, llm: LLM | None = None, embedder: Embedder | None = None) -> Parts:
    """Everything the two paths need. Nothing is opened, loaded or connected yet."""
    config, pipeline = settings.config, settings.config.pipeline
    opener = partial(Store, settings.folder, config.store.table_name, store_id=new_id())
    prompts = {"extract": pipeline.custom_extraction_prompt, "answer": pipeline.custom_answer_prompt}
    tuning = {name: getattr(pipeline, name) for name in Tuning.__slots__ if name != "prompts"}
    return Parts(
        store=StoreThread(opener, readers=pipeline.max_retrieval_workers),
        llm=llm or build_llm(config.llm, at_once=pipeline.max_build_workers),
        embedder=embedder or build_embedder(config),
        clock=now,
        new_id=new_id,
        tuning=Tuning(**tuning, prompts={name: text for name, text in prompts.items() if text}),
    )
