"""The work on conversations: build, ask, record; here or in processes of their own.

Flows in: jobs, and how they are to be done. Flows out: records, as they are made. Whatever goes wrong with a
conversation or a question is written into its record, and the work goes on. What a scorer has to know
of a question is put into the record here and handed to no system.
"""

import hashlib
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from pathlib import Path
from queue import Empty
from typing import Any, TypeVar

from meme import Config, MemeError, UsageError
from meme_bench.cases import Asked, Question, Talk
from meme_bench.records import Answered, Built
from meme_bench.systems import ORACLE, Found, Setting, System, Told, open_system
from meme_bench.systems.baselines import Oracle

T = TypeVar("T")
Record = Built | Answered
Answering = Callable[[Question], Told | Found]


@dataclass(frozen=True, slots=True)
class How:
    """How conversations are worked on; `answering` is False where only retrieval is asked for."""

    system: str
    config: Config
    facts: str
    k: int
    memories: Path
    vectors: Path | None
    answering: bool = True


@dataclass(frozen=True, slots=True)
class Job:
    """A conversation with the questions still to be asked; `built` is what an earlier run made of it."""

    talk: Talk
    questions: tuple[Question, ...]
    built: Built | None = None


def work(jobs: Sequence[Job], how: How, workers: int) -> Iterator[Record]:
    """The records of all jobs; those of one conversation in their order, its `Built` first."""
    if workers > 1 and len(jobs) > 1:
        yield from _in_processes(jobs, how, min(workers, len(jobs)))
    else:
        for job in jobs:
            yield from _done(job, how)


# ---------------------------------------------------------------- one conversation


def _done(job: Job, how: How) -> Iterator[Record]:
    # Of the dataset's own name nothing is in the path: ".." would lead out of it, and two may look alike.
    folder = how.memories / hashlib.sha256(job.talk.id.encode("utf-8", "replace")).hexdigest()[:16]
    if job.built is None:  # what a killed run left of it is no memory of the whole
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    elif not folder.is_dir():
        raise UsageError(f"The memory of {job.talk.id} is gone ({folder}): begin a new run.")
    setting = Setting(how.config, folder, how.facts, how.k, how.vectors)
    # Facts that a dataset's makers had written are given only to a run about them.
    talk = job.talk if how.facts == "observations" else replace(job.talk, facts=())
    if how.system == ORACLE:
        oracle = Oracle(setting)
        turns = {turn.id: turn for turn in talk.turns}
        yield from _asked(
            replace(job, talk=talk),
            oracle,
            lambda one: oracle.answer(one.asked, [turns[turn] for turn in one.evidence], how.k),
        )
        return
    system = open_system(how.system, setting)
    verb: Callable[[Asked, int], Told | Found] = system.answer if how.answering else system.retrieve
    yield from _asked(replace(job, talk=talk), system, lambda one: verb(one.asked, how.k))


def _asked(job: Job, system: System | Oracle, answering: Answering) -> Iterator[Record]:
    try:
        built = job.built
        if built is None:
            built = _built(job.talk, system)
            yield built
        why = f"The conversation was not built: {built.error}" if _useless(built) else ""
        for question in job.questions:
            yield (
                replace(_blank(job.talk, question), error=why)
                if why
                else _answered(job.talk, question, answering)
            )
    finally:
        system.close()


def _built(talk: Talk, system: System | Oracle) -> Built:
    started = time.perf_counter()
    made = _attempt(lambda: system.build(talk))
    if isinstance(made, str):
        return Built(talk.id, len(talk.turns), 0, seconds=time.perf_counter() - started, error=made)
    return made


def _useless(built: Built) -> bool:
    """Whether building broke off; one of which some windows failed still answers from the others."""
    return bool(built.error) and not built.stored


def _answered(talk: Talk, question: Question, answering: Answering) -> Answered:
    started = time.perf_counter()
    made = _attempt(lambda: answering(question))
    record = replace(_blank(talk, question), seconds=time.perf_counter() - started)
    if isinstance(made, str):
        return replace(record, error=made)
    if isinstance(made, Found):
        return replace(record, hits=made.hits, spent=made.spent)
    return replace(
        record,
        answer=made.answer,
        abstained=made.abstained,
        reason=made.reason,
        hits=made.hits,
        cited=made.cited,
        spent=made.spent,
        context_tokens=made.context_tokens,
    )


def _blank(talk: Talk, question: Question) -> Answered:
    return Answered(
        conversation=talk.id,
        question=question.asked.id,
        category=question.category,
        text=question.asked.text,
        gold=question.gold,
        evidence=question.evidence,
        bait=question.bait,
    )


def _attempt(doing: Callable[[], T]) -> T | str:
    """What it returns, or the name of its error and a sentence: a system may fail in any way."""
    try:
        return doing()
    except Exception as error:  # noqa: BLE001 -- the one place where a run outlives what it tests
        return f"{type(error).__name__}: {' '.join(str(error).split()) or 'no message'}"


# ---------------------------------------------------------------- many conversations at once

_records: Any = None  # of a worker: where its records go


def _in_processes(jobs: Sequence[Job], how: How, workers: int) -> Iterator[Record]:
    """Spawned processes, a conversation each; only this one writes what they send."""
    context = get_context("spawn")
    records = context.Queue()
    with ProcessPoolExecutor(workers, context, _begin, (records,)) as pool:
        working = [pool.submit(_send, job, how) for job in jobs]
        try:
            ended = 0
            while ended < len(jobs):
                try:
                    record = records.get(timeout=0.5)
                except Empty:
                    _raise_failure(working)
                    continue
                if record is None:
                    ended += 1
                else:
                    yield record
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _raise_failure(working: Sequence["Future[None]"]) -> None:
    for one in working:
        if not one.done():
            continue
        try:
            one.result()
        except BrokenProcessPool as error:
            raise MemeError(
                "A worker process ended before its conversation did, as when memory runs out: go on by "
                "--resume, with fewer --workers."
            ) from error


def _begin(records: Any) -> None:
    global _records  # a queue can be given to a process only when it begins
    _records = records
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A killed run must not go on writing memories that its resumption makes anew."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _send(job: Job, how: How) -> None:
    for record in _done(job, how):
        _records.put(record)
    _records.put(None)
