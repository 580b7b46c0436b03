"""The rules of ARCHITECTURE.md that import-linter does not check. A rule that matches nothing fails."""

import ast
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FACES = sorted([*(ROOT / "meme_cli").rglob("*.py"), *(ROOT / "meme_bench").rglob("*.py")])
PRODUCT = sorted([*(ROOT / "meme").rglob("*.py"), *FACES])

HOMES = {
    "lancedb": {"meme/store/memories.py"},
    "pyarrow": {"meme/store/memories.py"},
    "tantivy": {"meme/store/lexicon.py"},
    "sqlite3": {"meme/store/sqlite.py"},
    "filelock": {"meme/store/store.py"},
    "openai": {"meme/endpoint.py"},
    "httpx2": {"meme/endpoint.py"},
    "fastembed": {"meme/embed/local.py"},
    "snowballstemmer": {"meme/language/words.py"},
    "nltk": {"meme_bench/scores/official.py"},
    "matplotlib": {"meme_bench/plot.py"},
    "typer": {"meme_cli/app.py", "meme_cli/options.py", "meme_bench/main.py", "meme_bench/options.py"},
    "rich": {"meme_cli/show.py"},
}
HEAVY = {"lancedb", "pyarrow", "numpy", "fastembed", "onnxruntime", "openai", "httpx2", "dateparser"}
FORBIDDEN_NAMES = {"utils", "helpers", "common", "manager", "engine", "service", "factory"}


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module:
        yield node.module


def imports(path: Path, *, at_import: bool = False) -> set[str]:
    """Every module a file imports; `at_import` leaves out what functions and type checkers import."""
    found: set[str] = set()
    waiting: list[ast.AST] = [tree(path)]
    while waiting:
        node = waiting.pop()
        found |= set(imported(node))
        if at_import and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if at_import and isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        waiting += ast.iter_child_nodes(node)
    return found


def roots(modules: set[str]) -> set[str]:
    return {module.split(".")[0] for module in modules}


@pytest.mark.parametrize("library", HOMES)
def test_each_third_party_has_one_home(library: str) -> None:
    users = {name_of(path) for path in PRODUCT if library in roots(imports(path))}
    assert users == HOMES[library]


def test_heavy_libraries_are_imported_inside_functions_only() -> None:
    late = {library for path in PRODUCT for library in HEAVY & roots(imports(path))}
    assert late >= {"lancedb", "fastembed", "openai"}, "the rule no longer matches anything"
    for path in PRODUCT:
        assert not HEAVY & roots(imports(path, at_import=True)), name_of(path)


def test_faces_import_only_the_public_names() -> None:
    seen = {module for path in FACES for module in imports(path) if module.split(".")[0] == "meme"}
    assert seen, "the rule no longer matches anything"
    assert seen <= {"meme", "meme.testing"}


def test_no_clock_randomness_or_environment_is_read_below_the_configuration() -> None:
    banned = {
        ("datetime", "now"),
        ("datetime", "utcnow"),
        ("date", "today"),
        ("time", "time"),
        ("os", "getenv"),
        ("uuid", "uuid4"),
        ("uuid", "uuid1"),
    }
    readers = set()
    for path in PRODUCT:
        for node in ast.walk(tree(path)):
            pair = (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and (node.value.id, node.attr)
            )
            reads = isinstance(node, ast.Subscript) and ast.unparse(node.value) == "os.environ"
            gets = isinstance(node, ast.Call) and ast.unparse(node.func) in (
                "os.environ.get",
                "os.environ.items",
            )
            if pair in banned or reads or gets or {"random", "secrets"} & roots(set(imported(node))):
                readers.add(name_of(path))
    assert readers == {"meme/config.py"}


def test_broad_excepts_stand_nowhere_but_around_what_a_run_tests() -> None:
    for path in PRODUCT:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ExceptHandler):
                caught = ast.unparse(node.type) if node.type else "everything"
                rolls_back = caught == "BaseException" and isinstance(node.body[-1], ast.Raise)
                outlives = name_of(path) == "meme_bench/work.py"  # a run outlives what it tests
                broad = caught in ("Exception", "BaseException", "everything")
                assert rolls_back or outlives or not broad, name_of(path)


def test_modules_and_functions_stay_readable() -> None:
    for path in PRODUCT:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 400, name_of(path)
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or 0) - node.lineno + 1
                assert length <= 50 or name_of(path).startswith("meme_cli/"), f"{name_of(path)}: {node.name}"


def test_no_module_is_named_after_nothing() -> None:
    assert not {path.stem for path in PRODUCT} & FORBIDDEN_NAMES


def test_every_module_says_what_flows_through_it() -> None:
    for path in PRODUCT:
        assert ast.get_docstring(tree(path)), name_of(path)


def test_our_own_modules_are_never_patched_in_tests() -> None:
    tests = sorted((ROOT / "tests").rglob("*.py"))
    assert len(tests) > 10
    for path in tests:
        assert "unittest.mock" not in roots(imports(path)) | imports(path), name_of(path)


def test_every_module_stands_on_a_floor() -> None:
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][0]
    placed = {name.strip() for layer in contract["layers"] for name in layer.split("|")}
    found = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts[:2]).removesuffix(".__init__")
        for path in PRODUCT
    }
    assert {name for name in found if not name.startswith(("meme_cli", "meme_bench"))} - {
        "meme"
    } == placed - {
        "meme_cli",
        "meme_bench",
    }
