"""Waiting for a provider: who may call now, and who tries again after how long.

Flows in: calls. Flows out: their results, or the last error once the retries are used up. Everything
that shares a Patience shares its slots and its pauses. Knows no provider, and retries only what is said
to pass: RateLimitError and UnavailableError.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from meme.errors import ProviderError, RateLimitError, UnavailableError

T = TypeVar("T")

_FIRST_WAIT: Final = 0.5
# Those who waited for one pause come back spread over this long, not all in the same millisecond.
_SPREAD: Final = 0.5


class Patience:
    """At most `at_once` calls at a time, each tried again up to `retries` times. Times are in seconds.

    No wait is longer than `most_wait`, whatever a provider asks for. `jitter` gives numbers in 0..1.
    Usable from one event loop after another, not from two at once.
    """

    def __init__(
        self,
        retries: int,
        at_once: int,
        most_wait: float = 60.0,
        *,
        jitter: Callable[[], float],
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._retries, self._at_once, self._most_wait = retries, at_once, most_wait
        self._jitter, self._sleep, self._clock = jitter, sleep, clock
        self._not_before = clock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._free = asyncio.Semaphore(at_once)

    async def run(self, call: Callable[[], Awaitable[T]]) -> T:
        """What `call` returns. It is called anew for every try; no slot is held while waiting."""
        failures = 0
        while True:
            try:
                return await self._admitted(call)
            except (RateLimitError, UnavailableError) as error:
                failures += 1
                last = failures > self._retries
                wait = self._wait(error, failures)
                for_all = isinstance(error, RateLimitError) or bool(error.retry_after)
                if for_all:  # even the last one: the others should not run into the same wall
                    self._not_before = max(self._not_before, self._clock() + wait)
                if last:
                    raise
            if not for_all:
                await self._sleep(wait)

    async def _admitted(self, call: Callable[[], Awaitable[T]]) -> T:
        """Call with a slot, when no pause is on; a pause may begin while we wait for either."""
        slots = self._slots()
        while True:
            async with slots:
                pause = self._not_before - self._clock()
                if pause <= 0:
                    return await call()
            await self._sleep(pause + self._jitter() * _SPREAD)

    def _wait(self, error: ProviderError, failures: int) -> float:
        """As told; else half a second, doubling, of which jitter may take off up to a half."""
        if error.retry_after:
            return min(error.retry_after, self._most_wait)
        backoff = min(_FIRST_WAIT * 2.0 ** min(failures - 1, 30), self._most_wait)
        return backoff * (0.5 + 0.5 * self._jitter())

    def _slots(self) -> asyncio.Semaphore:
        """The slots of the running loop: a semaphore belongs to the loop it was first waited for in."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop, self._free = loop, asyncio.Semaphore(self._at_once)
        return self._free
