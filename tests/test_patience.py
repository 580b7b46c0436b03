"""Who may call now and who waits how long, in a time that passes only when everybody waits."""

import asyncio
import itertools
import selectors
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import pytest

from meme.errors import (
    AccountError,
    BudgetError,
    EmbeddingError,
    ProviderError,
    RateLimitError,
    ReplyError,
    TruncatedError,
    UnavailableError,
)
from meme.patience import Patience


class _Skipping(selectors.SelectSelector):
    """Waits for nothing: the time that would have been waited has passed."""

    now = 1_000.0

    def select(self, timeout: float | None = None) -> list[Any]:
        self.now += max(timeout or 0.0, 0.0)
        return super().select(0)


class Timeless(asyncio.SelectorEventLoop):
    """An event loop whose clock starts at 1,000 s and jumps to the next thing to do."""

    def __init__(self) -> None:
        self.skipping = _Skipping()
        super().__init__(self.skipping)

    def time(self) -> float:
        return self.skipping.now


def now() -> float:
    return round(asyncio.get_running_loop().time() - 1_000.0, 6)


def run(work: Coroutine[Any, Any, Any]) -> Any:
    with asyncio.Runner(loop_factory=Timeless) as runner:
        return runner.run(work)


def patience(
    retries: int = 3, at_once: int = 16, *, jitter: Callable[[], float] = lambda: 0.0, most_wait: float = 60.0
) -> Patience:
    """For use inside `run`: its clock is the running loop's."""
    clock = asyncio.get_running_loop().time
    return Patience(retries, at_once, most_wait, jitter=jitter, clock=clock)


class Calls:
    """A call that fails as scripted and then succeeds; `at` keeps when it was made."""

    def __init__(self, *failures: Exception, lasting: float = 0.0) -> None:
        self._failures, self._lasting = list(failures), lasting
        self.at: list[float] = []

    async def __call__(self) -> str:
        self.at.append(now())
        if self._lasting:
            await asyncio.sleep(self._lasting)
        if self._failures:
            raise self._failures.pop(0)
        return "done"


def limited(seconds: float | None = None) -> RateLimitError:
    return RateLimitError("slow down", retry_after=seconds)


def down(seconds: float | None = None) -> UnavailableError:
    return UnavailableError("HTTP 503", retry_after=seconds)


def starts(*failures: Exception, **options: Any) -> list[float]:
    """When one call, alone, was made."""

    async def running() -> list[float]:
        call = Calls(*failures)
        assert await patience(**options).run(call) == "done"
        return call.at

    found: list[float] = run(running())
    return found


@pytest.mark.parametrize(
    ("jitter", "expected"),
    [(1.0, [0.0, 0.5, 1.5, 3.5]), (0.0, [0.0, 0.25, 0.75, 1.75])],
    ids=["most", "least"],
)
def test_untold_waits_double_and_jitter_takes_off_up_to_a_half(jitter: float, expected: list[float]) -> None:
    assert starts(down(), down(), down(), jitter=lambda: jitter) == expected
    assert starts(limited(), limited(), limited(), jitter=lambda: 0.0) == [0.0, 0.25, 0.75, 1.75]


def test_no_untold_wait_is_longer_than_the_most() -> None:
    made = starts(*[down() for _ in range(50)], retries=50, most_wait=4.0, jitter=lambda: 1.0)
    assert [later - earlier for earlier, later in itertools.pairwise(made)] == [0.5, 1.0, 2.0] + [4.0] * 47


@pytest.mark.parametrize("kind", [limited, down])
@pytest.mark.parametrize(("told", "waited"), [(2.0, 2.0), (0.02, 0.02), (3_600.0, 60.0), (0.0, 0.25)])
def test_a_told_wait_is_kept_to_but_not_beyond_the_most(
    kind: Callable[[float], ProviderError], told: float, waited: float
) -> None:
    assert starts(kind(told)) == [0.0, waited]


@pytest.mark.parametrize("retries", [0, 1, 3])
@pytest.mark.parametrize("kind", [limited, down])
def test_the_error_is_raised_once_the_retries_are_used_up(
    kind: Callable[[], ProviderError], retries: int
) -> None:
    errors = [kind() for _ in range(10)]

    async def running() -> tuple[int, BaseException]:
        call = Calls(*errors)
        with pytest.raises(type(errors[0])) as caught:
            await patience(retries).run(call)
        return len(call.at), caught.value

    assert run(running()) == (retries + 1, errors[retries])


@pytest.mark.parametrize(
    "error",
    [
        AccountError("no"),
        ReplyError("no"),
        TruncatedError("no"),
        BudgetError("no"),
        EmbeddingError("no"),
        ProviderError("no"),
        ValueError("no"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_waiting_cannot_mend_passes_at_once(error: Exception) -> None:
    async def running() -> list[float]:
        call = Calls(error)
        with pytest.raises(type(error)):
            await patience().run(call)
        return call.at

    assert run(running()) == [0.0]


def test_no_more_calls_than_slots_are_under_way() -> None:
    most = 0

    async def running() -> None:
        shared, active = patience(at_once=3), 0

        async def call() -> None:
            nonlocal active, most
            active += 1
            most = max(most, active)
            await asyncio.sleep(1)
            active -= 1

        await asyncio.gather(*(shared.run(call) for _ in range(10)))
        assert now() == 4.0

    run(running())
    assert most == 3


def test_who_waits_holds_no_slot() -> None:
    async def running() -> tuple[list[float], list[float]]:
        shared = patience(at_once=1, jitter=lambda: 1.0)
        waiting, other = Calls(down()), Calls(lasting=0.1)
        await asyncio.gather(shared.run(waiting), shared.run(other))
        return waiting.at, other.at

    assert run(running()) == ([0.0, 0.5], [0.0])


async def later(delay: float, work: Awaitable[Any]) -> Any:
    await asyncio.sleep(delay)
    return await work


@pytest.mark.parametrize(
    ("failure", "expected"),
    [
        (limited(5.0), 5.0),
        (down(5.0), 5.0),
        (limited(), 1.0),  # its own wait of 0.25 s is over by then
        (down(), 1.0),
    ],
    ids=["limited, told", "down, told", "limited", "down"],
)
def test_a_told_wait_is_everybodys(failure: ProviderError, expected: float) -> None:
    async def running() -> tuple[list[float], list[float]]:
        shared = patience()
        first, second = Calls(failure), Calls()
        await asyncio.gather(shared.run(first), later(1.0, shared.run(second)))
        return first.at, second.at

    first, second = run(running())
    assert first[0] == 0.0
    assert second == [expected]


def test_a_rate_limit_pauses_everybody_even_if_no_wait_was_told_and_an_outage_only_its_own_call() -> None:
    async def running(failure: ProviderError) -> list[float]:
        shared = patience(jitter=lambda: 0.0)
        second = Calls()
        await asyncio.gather(shared.run(Calls(failure)), later(0.1, shared.run(second)))
        return second.at

    assert run(running(limited())) == [0.25]
    assert run(running(down())) == [0.1]


def test_a_pause_that_begins_while_others_wait_for_a_slot_holds_for_them_too() -> None:
    async def running() -> list[float]:
        shared = patience(at_once=1)
        queued = [Calls() for _ in range(3)]
        await asyncio.gather(
            shared.run(Calls(limited(7.0), lasting=1.0)), *(shared.run(one) for one in queued)
        )
        return [one.at[0] for one in queued]

    assert min(run(running())) == 8.0


def test_a_longer_pause_wins_over_a_shorter_one_and_is_never_cut_short() -> None:
    async def running() -> list[float]:
        shared = patience()
        third = Calls()
        together = [Calls(limited(seconds), lasting=0.5) for seconds in (30.0, 2.0)]
        await asyncio.gather(*(shared.run(one) for one in together), later(1.0, shared.run(third)))
        return third.at

    assert run(running()) == [30.5]


def test_the_others_wait_even_when_the_one_that_was_told_gives_up() -> None:
    async def running() -> list[float]:
        shared = patience(retries=0)
        other = Calls()
        with pytest.raises(RateLimitError):
            await shared.run(Calls(limited(9.0)))
        await shared.run(other)
        return other.at

    assert run(running()) == [9.0]


def test_after_a_pause_they_do_not_all_come_back_at_the_same_moment() -> None:
    async def running() -> list[float]:
        numbers = itertools.count()
        shared = patience(at_once=8, jitter=lambda: next(numbers) % 8 / 8)
        calls = [Calls(limited(2.0), lasting=1.0) for _ in range(8)]
        await asyncio.gather(*(shared.run(call) for call in calls))
        return sorted(call.at[-1] for call in calls)

    back = run(running())
    assert len(set(back)) == 8
    assert back[0] >= 3.0
    assert back[-1] <= 3.5


@pytest.mark.parametrize("when", [0.5, 1.5, 2.5], ids=["while it runs", "while it waits", "while all pause"])
def test_a_cancelled_call_leaves_its_slot_to_the_others(when: float) -> None:
    async def running() -> list[float]:
        shared = patience(at_once=1, jitter=lambda: 1.0)
        failure = limited(9.0) if when == 2.5 else down()
        cancelled = asyncio.create_task(shared.run(Calls(failure, lasting=1.0)))
        queued = asyncio.create_task(later(0.1, shared.run(Calls())))
        await asyncio.sleep(when)
        cancelled.cancel()
        with pytest.raises(asyncio.CancelledError):
            await cancelled
        queued.cancel()
        calls = [Calls(lasting=1.0) for _ in range(3)]
        await asyncio.gather(*(shared.run(call) for call in calls))
        return sorted(call.at[0] for call in calls)

    made = run(running())
    assert len(made) == 3, "nobody waits for ever"
    assert all(later >= earlier + 1.0 for earlier, later in itertools.pairwise(made)), "still one at a time"


def test_one_patience_serves_one_event_loop_after_another() -> None:
    shared = Patience(1, 2, jitter=lambda: 0.0)

    async def call() -> int:
        await asyncio.sleep(0)
        return 1

    async def crowd() -> list[int]:
        return await asyncio.gather(*(shared.run(call) for _ in range(8)))

    for _ in range(3):  # with more calls than slots, so that each loop has some waiting
        assert asyncio.run(crowd()) == [1] * 8


def test_a_loop_that_ended_while_calls_were_under_way_takes_no_slot_with_it() -> None:
    shared = Patience(0, 1, jitter=lambda: 0.0)

    async def unfinished() -> None:
        stuck = asyncio.create_task(shared.run(asyncio.Event().wait))
        await asyncio.sleep(0)
        assert not stuck.done()

    asyncio.run(unfinished())
    assert asyncio.run(shared.run(Calls())) == "done"
