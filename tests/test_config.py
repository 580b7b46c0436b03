"""Where settings come from, which source wins, and what a wrong one says."""

from pathlib import Path

import pytest

from meme import Config, ConfigError, EmbeddingConfig, LLMConfig, Meme, PipelineConfig, StoreConfig
from meme.config import build_embedder, build_llm, load, new_id
from meme.embed.hashing import HashingEmbedder
from meme.embed.local import LocalEmbedder
from meme.embed.openai import OpenAIEmbedder


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


def test_the_embedding_endpoint_falls_back_to_the_models_key_and_url() -> None:
    config = Config(
        llm=LLMConfig(provider="openai", api_key="sk-a", base_url="http://localhost:9/v1"),
        embedding=EmbeddingConfig(provider="api"),
    )
    embedder = build_embedder(load(config).config, Path("unused"))
    assert isinstance(embedder, OpenAIEmbedder)
    assert embedder.id == "text-embedding-3-small"
    assert embedder._options["base_url"] == "http://localhost:9/v1"
    assert embedder._options["api_key"] == "sk-a"


def test_embeddings_stay_local_when_a_model_is_configured() -> None:
    config = load(Config(llm=LLMConfig(api_key="sk-a"))).config
    assert isinstance(build_embedder(config, Path("unused")), LocalEmbedder)
    hashing = load(Config(embedding=EmbeddingConfig(provider="hashing", dimension=64))).config
    assert isinstance(build_embedder(hashing, Path("unused")), HashingEmbedder)
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
