"""Where settings come from, which source wins, and what a wrong one says."""

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from meme import (
    Config,
    ConfigError,
    EmbeddingConfig,
    LLMConfig,
    Meme,
    PipelineConfig,
    StoreConfig,
    UnavailableError,
)
from meme.config import build_embedder, build_llm, load, new_id
from meme.embed.hashing import HashingEmbedder
from meme.embed.local import LocalEmbedder
from meme.embed.openai import OpenAIEmbedder
from meme.llm import Request
from meme.llm.reader import read
from meme.read.shapes import PlanReply
from tests.llm.chat_server import Answer, Server, failure, good, serving


@pytest.fixture
def settings_file(home: Path) -> Path:
    home.mkdir()
    return home / "config.toml"


def test_nothing_is_required(home: Path) -> None:
    settings = load()
    assert settings.config == Config(embedding=EmbeddingConfig(model="meme/all-minilm-l6-v2-int8"))
    assert settings.folder == home / "lancedb"
    assert settings.origins == {}


def test_arguments_win_over_the_environment_over_the_file(
    settings_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings_file.write_text('[llm]\nmodel = "file"\ntemperature = 0.7\ntimeout = 5\n')
    monkeypatch.setenv("MEME_LLM_MODEL", "environment")
    monkeypatch.setenv("MEME_LLM_TIMEOUT", "7")
    settings = load(Config(llm=LLMConfig(model="argument")))
    assert (settings.config.llm.model, settings.config.llm.timeout) == ("argument", 7.0)
    assert settings.config.llm.temperature == 0.7
    assert settings.origins == {
        "llm.model": "argument",
        "llm.timeout": "environment MEME_LLM_TIMEOUT",
        "llm.temperature": str(settings_file),
    }


def test_only_what_a_config_object_sets_overrides_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEME_PIPELINE_WINDOW_SIZE", "7")
    settings = load(Config(pipeline=PipelineConfig(overlap_size=1)))
    assert (settings.config.pipeline.window_size, settings.config.pipeline.overlap_size) == (7, 1)


@pytest.mark.parametrize("name", ["MEME_LLM_API_KEY", "MEME_LLM_BASE_URL"])
def test_a_key_or_a_url_without_a_provider_means_openai(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "http://localhost:1/v1")
    assert load().config.llm.provider == "openai"
    assert load(Config(llm=LLMConfig(provider="rules"))).config.llm.provider == "rules"


def test_an_openai_key_alone_changes_nothing_but_serves_once_openai_is_chosen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-ambient")
    assert load().config.llm == LLMConfig()
    chosen = load(Config(llm=LLMConfig(provider="openai"))).config.llm.api_key
    assert chosen is not None
    assert chosen.get_secret_value() == "sk-ambient"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[llm]\nmodle = "x"\n', ["config.toml", "llm.modle", "model, provider"]),
        ("[lm]\n", ["config.toml", "[lm]", "llm, embedding, store, pipeline"]),
        ('[llm]\nprovider = "gpt"\n', ["config.toml", "llm.provider", "'rules' or 'openai'"]),
        ("[pipeline]\nwindow_size = 0\n", ["pipeline.window_size", "greater than or equal to 1"]),
        ('[pipeline]\ntimezone = "Mars/Base"\n', ["pipeline.timezone", "IANA"]),
        ("[pipeline]\nenable_rerank = true\n", ["enable_rerank", "no reranker"]),
        ('[pipeline]\ncustom_answer_prompt = "Hi"\n', ["custom_answer_prompt", "{question}"]),
        ('[store]\ntable_name = "../x"\n', ["store.table_name"]),
        ("[llm\n", ["config.toml", "cannot be read"]),
    ],
)
def test_a_wrong_setting_is_named_with_its_file_and_what_is_allowed(
    text: str, says: list[str], settings_file: Path
) -> None:
    settings_file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load()
    for part in says:
        assert part in str(caught.value)


def test_a_wrong_environment_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEME_STORE_TABLE", "x")
    with pytest.raises(ConfigError, match=r"environment MEME_STORE_TABLE: unknown setting store\.table"):
        load()


def test_secrets_are_never_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEME_LLM_API_KEY", "sk-very-secret")
    settings = load()
    assert "very-secret" not in repr(settings) + str(settings.config.model_dump(mode="json"))


def served(request: Mapping[str, Any]) -> Answer:
    """A reply to any request: a vector to texts, an empty plan to a prompt."""
    if "input" in request:
        return Answer(200, {"data": [{"index": 0, "embedding": [0.6, 0.8]}]})
    return good('{"queries": ["tea"]}')


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(Server(served)) as running:
        yield running


def test_the_embedding_endpoint_falls_back_to_the_models_key_and_url(server: Server) -> None:
    config = Config(
        llm=LLMConfig(provider="openai", api_key="sk-a", base_url=server.url),
        embedding=EmbeddingConfig(provider="api"),
    )
    embedder = build_embedder(load(config).config)
    assert isinstance(embedder, OpenAIEmbedder)
    assert embedder.id == "text-embedding-3-small"
    assert len(asyncio.run(embedder.embed(["tea"]))) == 1
    assert server.keys == ["Bearer sk-a"]


def test_an_embedding_endpoint_may_have_a_key_and_an_address_of_its_own(server: Server) -> None:
    config = Config(
        llm=LLMConfig(provider="openai", api_key="sk-a", base_url="http://127.0.0.1:9/v1"),
        embedding=EmbeddingConfig(provider="api", model="bge", base_url=server.url, api_key="sk-b"),
    )
    asyncio.run(build_embedder(load(config).config).embed(["tea"]))
    assert server.keys == ["Bearer sk-b"]
    assert server.requests[0]["model"] == "bge"


PLAN = Request("plan", None, PlanReply, prompt="Who drinks tea?")


def test_a_configured_model_is_asked_with_its_settings_and_waits_as_configured(server: Server) -> None:
    config = LLMConfig(provider="openai", base_url=server.url, model="m", temperature=0.3, max_retries=0)
    llm = build_llm(config)
    assert read(asyncio.run(llm.complete(PLAN)), PlanReply).queries == ["tea"]
    assert (server.requests[0]["model"], server.requests[0]["temperature"]) == ("m", 0.3)
    server.script = [failure(500), good("{}")]
    with pytest.raises(UnavailableError):
        asyncio.run(llm.complete(PLAN))


def test_with_a_cache_the_same_question_is_asked_once(server: Server, tmp_path: Path) -> None:
    config = LLMConfig(provider="openai", base_url=server.url, cache=tmp_path / "replies")
    usages = [asyncio.run(build_llm(config).complete(PLAN)).usage for _ in range(2)]
    assert [usage.calls for usage in usages] == [1, 0]
    other = config.model_copy(update={"temperature": 1.0})
    assert asyncio.run(build_llm(other).complete(PLAN)).usage.calls == 1
    assert len(list((tmp_path / "replies").iterdir())) == 2


def test_the_cache_is_a_setting_like_any_other_and_off_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load().config.llm.cache is None
    monkeypatch.setenv("MEME_LLM_CACHE", "~/replies")
    settings = load()
    assert settings.config.llm.cache == Path("~/replies")
    assert settings.origins["llm.cache"] == "environment MEME_LLM_CACHE"
    assert settings.config.model_dump(mode="json")["llm"]["cache"] == "~/replies", "what `config show` prints"


@pytest.mark.parametrize("section", ["llm", "embedding"])
def test_an_address_that_is_none_is_named_before_anything_is_stored(section: str) -> None:
    llm = LLMConfig(provider="openai", base_url="localhost" if section == "llm" else "http://127.0.0.1:9/v1")
    url = "localhost:80" if section == "embedding" else None
    with pytest.raises(ConfigError, match="base_url must be an address"):
        Meme(config=Config(llm=llm, embedding=EmbeddingConfig(provider="api", base_url=url)))


def test_embeddings_stay_local_when_a_model_is_configured() -> None:
    config = load(Config(llm=LLMConfig(api_key="sk-a"))).config
    assert isinstance(build_embedder(config), LocalEmbedder)
    hashing = load(Config(embedding=EmbeddingConfig(provider="hashing", dimension=64))).config
    assert isinstance(build_embedder(hashing), HashingEmbedder)
    assert build_llm(LLMConfig()).model == "rules"


def test_ids_are_version_seven_uuids_in_order_of_time() -> None:
    made = [new_id() for _ in range(200)]
    assert len(set(made)) == 200
    assert all(one[14] == "7" and one[19] in "89ab" and len(one) == 36 for one in made)
    assert [one[:13] for one in made] == sorted(one[:13] for one in made)


def test_one_folder_holds_the_whole_store(tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    config = Config(store=StoreConfig(lancedb_path=folder), embedding=EmbeddingConfig(provider="hashing"))
    with Meme(config=config) as memory:
        memory.add("Ana keeps bees.", infer=False)
        memory.search("bees")
        memory.doctor()  # compares, and so makes, every index: a store this young is searched without one
    assert {path.name for path in folder.iterdir()} >= {"memories.db", "memories.lexicon", "memories.lance"}
