"""A run: systems over conversations with questions, written down as it goes.

Flows in: a dataset and options. Flows out: a run file, one record a line, that can be resumed after a kill
and scored at no cost; or, of retrieval alone, a run in memory with its seconds told apart.
"""

import hashlib
import json
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from meme import Config, Meme, UsageError, __version__, build_embedder, build_llm
from meme_bench.cases import Case, Dataset
from meme_bench.records import Answered, Built, Run, RunHeader, line, read
from meme_bench.systems import ORACLE, WITHOUT_VECTORS, Setting, check, facts_of
from meme_bench.work import How, Job, work

__all__ = ["Options", "Retrieved", "retrieve_all", "run"]

Progress = Callable[[int, int], None]

# Systems whose vectors are kept beside the run files. meme and mem0 make their own each time, as users do.
_KEPT: Final = frozenset(("dense", "hybrid", ORACLE))


@dataclass(frozen=True, slots=True)
class Options:
    """What is run and how.

    `k` hits are told of each question; the baselines hand no more than that to the answerer, meme what its
    settings say. `conversations` and `categories` restrict the questions, `limit` to the first so many of
    them in the order of the file. `config` is as for Meme; `model` goes before its `llm.model`. `workers`
    processes work on a conversation each. `keep` leaves the memories where they are. `seed` is recorded:
    nothing here is random.
    """

    system: str = "meme"
    facts: str | None = None
    model: str | None = None
    k: int = 30
    seed: int = 0
    conversations: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    limit: int | None = None
    workers: int = 1
    keep: bool = False
    config: Config | None = None


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Retrieval over a dataset. Seconds are summed over the workers; `wall` is what a clock on the wall says.

    `embed` is spent making vectors of turns and questions, `index` journaling and indexing, `search` finding.
    """

    run: Run
    embed: float
    index: float
    search: float
    wall: float


def run(
    dataset: Dataset,
    options: Options,
    output: Path,
    *,
    resume: bool = False,
    progress: Progress | None = None,
) -> Path:
    """Run a system over a dataset; the run file. Errors of single questions are in their records.

    With `resume` a file that is there is gone on with: what is done is not done again, and a conversation
    that was not wholly taken in is taken in afresh. Raises UsageError for options that cannot be carried
    out, for a file that is there without `resume`, and for one that was made with other options.
    """
    cases = _selected(dataset, options)
    how = _how(
        options,
        memories=output.with_name(f"{output.name}.memories"),
        vectors=output.parent / ".meme-bench-vectors" if options.system in _KEPT else None,
    )
    check(how.system, Setting(how.config, how.memories, how.facts, how.k), answering=True)
    total = sum(len(case.questions) for case in cases)
    header = replace(_header(dataset, options, how), questions=total)
    done = _begun(output, header, resume=resume)
    jobs = _jobs(cases, done)
    count = total - sum(len(job.questions) for job in jobs)
    if progress:
        progress(count, total)
    with output.open("a", encoding="utf-8", newline="\n") as file:
        for record in work(jobs, how, options.workers):
            file.write(f"{line(record)}\n")
            file.flush()
            count += isinstance(record, Answered)
            if progress:
                progress(count, total)
    if not options.keep:
        shutil.rmtree(how.memories, ignore_errors=True)
    return output


def retrieve_all(dataset: Dataset, options: Options, *, progress: Progress | None = None) -> Retrieved:
    """What a system finds for each question, with no answers and no model but for `extracted` facts.

    No vector is taken from disk. Raises UsageError for options that cannot be carried out.
    """
    cases = _selected(dataset, options)
    total, count = sum(len(case.questions) for case in cases), 0
    built: list[Built] = []
    answers: list[Answered] = []
    started = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="meme-bench-") as folder:
        how = _how(options, memories=Path(folder), vectors=None, answering=False)
        check(how.system, Setting(how.config, how.memories, how.facts, how.k), answering=False)
        for record in work(_jobs(cases, None), how, options.workers):
            if isinstance(record, Built):
                built.append(record)
                continue
            answers.append(record)
            count += 1
            if progress:
                progress(count, total)
        header = _header(dataset, options, how)
    wall = time.perf_counter() - started
    embed = sum(_seconds(one, "embed") for one in built)
    index = sum(one.seconds for one in built) - embed
    embed += sum(_seconds(one, "embed") for one in answers)
    search = sum(one.seconds - _seconds(one, "embed") for one in answers)
    return Retrieved(Run("", header, tuple(built), tuple(answers)), embed, index, search, wall)


def _seconds(record: Built | Answered, stage: str) -> float:
    return record.spent[stage].seconds if stage in record.spent else 0.0


# ---------------------------------------------------------------- what is to be done


def _selected(dataset: Dataset, options: Options) -> list[Case]:
    """The cases with the questions that are asked for; those without any are left out."""
    _check_known("conversation", options.conversations, [case.talk.id for case in dataset.cases])
    _check_known("category", options.categories, list(dataset.categories))
    for name, value in (("k", options.k), ("limit", options.limit), ("workers", options.workers)):
        if value is not None and value < 1:
            raise UsageError(f"{name} is {value}: give at least 1.")
    found, left = [], options.limit
    for case in dataset.cases:
        if options.conversations and case.talk.id not in options.conversations:
            continue
        wanted = [one for one in case.questions if one.category in (options.categories or dataset.categories)]
        wanted = wanted[:left]
        left = None if left is None else left - len(wanted)
        if wanted:
            found.append(replace(case, questions=tuple(wanted)))
    if not found:
        raise UsageError("No question is left: ask for fewer conditions at once.")
    return found


def _check_known(what: str, given: Sequence[str], known: Sequence[str]) -> None:
    for one in given:
        if one not in known:
            raise UsageError(f"Unknown {what} {one!r}: use some of {', '.join(known[:20])}.")


def _how(options: Options, *, memories: Path, vectors: Path | None, answering: bool = True) -> How:
    facts = facts_of(options.system, options.facts)
    with Meme(config=options.config) as opened:  # for its settings alone
        config = opened.settings.config
    if options.model is not None:
        if config.llm.provider == "rules":
            raise UsageError(
                f"The model {options.model!r} is named and no endpoint is set: set llm.base_url (or "
                "llm.provider = openai and a key), for example as MEME_LLM_BASE_URL."
            )
        config = config.model_copy(update={"llm": config.llm.model_copy(update={"model": options.model})})
    return How(options.system, config, facts, options.k, memories, vectors, answering)


def _jobs(cases: Sequence[Case], done: Run | None) -> list[Job]:
    """What is still to be done: a conversation with a question left, or not built yet."""
    built = {one.conversation: one for one in done.built} if done else {}
    answered = {one.question for one in done.answers} if done else set()
    jobs = []
    for case in cases:
        left = tuple(one for one in case.questions if one.asked.id not in answered)
        if left:
            jobs.append(Job(case.talk, left, built.get(case.talk.id)))
    return jobs


# ---------------------------------------------------------------- the file


def _begun(output: Path, header: RunHeader, *, resume: bool) -> Run | None:
    """The file with its header written; what it held before. A line that a kill cut short is taken away."""
    told = output.read_bytes() if output.exists() else b""
    if told and not resume:
        raise UsageError(f"{output} exists: go on with it by --resume, or name a new file.")
    whole = told[: told.rfind(b"\n") + 1]
    if whole != told:
        output.write_bytes(whole)
    if not whole:
        shutil.rmtree(output.with_name(f"{output.name}.memories"), ignore_errors=True)
        try:
            output.parent.mkdir(parents=True, exist_ok=True)
            output.write_text(f"{line(header)}\n", encoding="utf-8", newline="\n")
        except OSError as error:
            raise UsageError(f"{output} cannot be written: {error.strerror}.") from error
        return None
    try:
        done = read(output)
    except ValueError as error:
        raise UsageError(f"{output} is no run file: {error}") from error
    before, now = (json.loads(line(one)) for one in (done.header, header))
    other = sorted(name for name in now if before[name] != now[name] and name != "started")
    if other:
        raise UsageError(
            f"{output} was made otherwise ({', '.join(_told(name, before, now) for name in other)}): "
            "name a new file."
        )
    return done


def _told(name: str, before: dict[str, Any], now: dict[str, Any]) -> str:
    if isinstance(now[name], dict):
        keys = sorted(
            key for key in {*before[name], *now[name]} if before[name].get(key) != now[name].get(key)
        )
        return f"{name}: {', '.join(keys)}"
    return f"{name}: {before[name]!r}, now {now[name]!r}"


def _header(dataset: Dataset, options: Options, how: How) -> RunHeader:
    """How the run is made. Paths of the store are no part of it, and secrets are masked by their type."""
    asks_model = how.system != "refuse" and (how.answering or how.facts == "extracted")
    chosen = {
        "conversations": list(options.conversations),
        "categories": list(options.categories),
        "limit": options.limit,
        "answering": how.answering,
    }
    return RunHeader(
        system=options.system,
        facts=how.facts,
        dataset=dataset.name,
        dataset_sha256=dataset.sha256,
        model=build_llm(how.config.llm).model if asks_model else "",
        embedder="" if how.system in WITHOUT_VECTORS else build_embedder(how.config).id,
        k=options.k,
        seed=options.seed,
        revision=_revision(),
        version=__version__,
        started=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        config={
            **_without_credentials(how.config.model_dump(mode="json", exclude={"store"})),
            "selected": chosen,
        },
        prompts=_fingerprints(),
        categories=dict(dataset.categories),
    )


def _without_credentials(value: Any) -> Any:
    """Settings without the user and password that an address may carry."""
    if isinstance(value, dict):
        return {name: _without_credentials(one) for name, one in value.items()}
    return re.sub(r"(?<=://)[^/@\s]+@", "***@", value) if isinstance(value, str) else value


def _fingerprints() -> dict[str, str]:
    """Of meme's prompts, as it records them with what they decided."""
    prompts = sorted(
        (one for one in files("meme").joinpath("prompts").iterdir() if one.name.endswith(".md")),
        key=lambda one: one.name,
    )
    return {
        one.name.removesuffix(".md"): hashlib.sha256(one.read_text(encoding="utf-8").encode()).hexdigest()[
            :12
        ]
        for one in prompts
    }


def _revision() -> str:
    """The git revision of this code, "+" where it was changed since; "" where it is in no repository."""
    here = Path(__file__)
    head = _git(here.parent, "rev-parse", "HEAD") if _git(here.parent, "ls-files", here.name) else ""
    changed = _git(here.parent, "status", "--porcelain", "--untracked-files=no", ":/meme", ":/meme_bench")
    return f"{head}+" if head and changed else head


def _git(folder: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
