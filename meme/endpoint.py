"""One OpenAI-compatible endpoint, and the only home of its SDK.

Flows in: a path and a JSON body. Flows out: the JSON value that came back, or one of our errors, mapped
once, that says what to do next and never quotes a key. A call is made once: waiting is `patience`'s work.
"""

import asyncio
import json
import math
import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from meme.errors import (
    AccountError,
    ConfigError,
    ProviderError,
    RateLimitError,
    RefusedError,
    UnavailableError,
)

if TYPE_CHECKING:
    import openai

_UNPAID: Final = {
    "insufficient_quota",
    "insufficient_balance",
    "insufficient_credits",
    "billing_hard_limit_reached",
    "billing_not_active",
    "billing_error",
}
# What looks like a credential wherever it stands: key prefixes in use, masked text, long mixed tokens.
_SECRET: Final = re.compile(
    r"bearer\s+\S+|\b(?:sk|pk|rk|gsk|hf|xai|nvapi|r8|ghp)[-_][\w*.-]{3,}|\bAIza[\w-]{10,}"
    r"|\S*\*{3,}\S*|\b(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{24,}",
    re.IGNORECASE,
)
_REASON_CHARS: Final = 200


class Endpoint:
    """An address, a key, and `timeout` seconds for a whole call. The SDK is imported by the first call.

    Raises ConfigError for an address that is none.
    """

    def __init__(self, *, base_url: str, api_key: str | None, timeout: float) -> None:
        self._url, self._host = base_url.strip(), _host(base_url.strip())
        self._key, self._timeout = (api_key or "").strip(), timeout
        self._client: openai.AsyncOpenAI | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def post(self, path: str, body: Mapping[str, Any], *, model: str) -> Any:
        """The JSON value that `path` answers to `body`; a string if it answers something else than JSON.

        Messages name `model`. Raises AccountError, RateLimitError, UnavailableError or RefusedError.
        """
        import openai  # noqa: PLC0415 -- 0.9 to 1.5 s that only calls to an endpoint should pay

        who = f"{model} at {self._host}"
        client = self._connected(who)
        # Half an emoji (a lone surrogate) in somebody's text becomes "?": it must not cost the request.
        content = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        problem: ProviderError
        try:
            # The SDK's timeout is for one read: a server that drips would hold us for ever.
            async with asyncio.timeout(self._timeout):
                headers = {"Content-Type": "application/json"}
                return _value(
                    await client.post(path, cast_to=object, content=content, options={"headers": headers})
                )
        except TimeoutError:
            problem = UnavailableError(
                f"{who} did not answer within {self._timeout:g} s: raise llm.timeout or try a faster model."
            )
        except openai.APIStatusError as error:
            problem = self._of_status(error, who)
        except (openai.APIConnectionError, OSError) as error:
            problem = self._of_line(error, who)
        except openai.OpenAIError as error:
            problem = ProviderError(f"{who} failed: {self.redacted(str(error))}")
        except (ValueError, RecursionError):  # a body that is no JSON, or is nested without end
            return ""
        raise problem  # outside of the handlers: the SDK's own error may quote the key in a traceback

    async def close(self) -> None:
        """Close the connections, if any were opened."""
        client, self._client = self._client, None
        if client is not None and self._loop is asyncio.get_running_loop():
            await client.close()

    def redacted(self, text: str) -> str:
        """Foreign text fit for a message: without keys, on one line, of at most 200 characters."""
        line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
        if len(self._key) > 3:  # a shorter one is a placeholder for a server that takes any
            line = line.replace(self._key, "[key]")
        line = _SECRET.sub("[key]", line)
        return line if len(line) <= _REASON_CHARS else f"{line[: _REASON_CHARS - 1]}…"

    def _connected(self, who: str) -> "openai.AsyncOpenAI":
        """The client of the running event loop: connections cannot be used from another one."""
        import httpx2  # noqa: PLC0415 -- the SDK's own transport, loaded with it
        import openai  # noqa: PLC0415 -- see above

        if not (self._key.isascii() and self._key.isprintable()):
            raise AccountError(f"{who}: the key has characters that no key has: check api_key.")
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            try:
                self._client = openai.AsyncOpenAI(
                    base_url=self._url,
                    api_key=self._key or "none",  # local servers take any key, but the SDK insists on one
                    max_retries=0,
                    timeout=None,
                    # The SDK's default one would, when dropped, close its connections on a foreign loop.
                    http_client=openai.DefaultAsyncHttpxClient(timeout=None),
                )
            except (httpx2.InvalidURL, ValueError, OSError, ImportError) as error:
                raise ConfigError(
                    f"No connection to {who} can be made ({self.redacted(str(error))}): check base_url, "
                    "and the proxies and certificates that the environment names."
                ) from None
            self._loop = loop
        return self._client

    def _of_status(self, error: "openai.APIStatusError", who: str) -> ProviderError:
        status, wait = error.status_code, retry_after(error.response.headers)
        message, code, kind, param = _details(error.body)
        reason = self.redacted(message)
        told = f"HTTP {status}: {reason}" if reason else f"HTTP {status}"
        if status in (401, 403):
            return AccountError(f"{who} refused the key (HTTP {status}): check api_key.")
        if status == 402 or (status < 500 and {code, kind} & _UNPAID):
            return AccountError(
                f"{who}: the quota is used up ({told}): check the account's plan and billing."
            )
        if status == 429:
            return RateLimitError(
                f"{who} is rate limited ({told}): try again later, or lower pipeline.max_build_workers.",
                retry_after=wait,
            )
        if status in (408, 409) or status >= 500:
            return UnavailableError(
                f"{who} is out of order ({told}): try again later, or see the server's log.",
                retry_after=wait,
            )
        if status == 404:
            said = f"{who} was not found ({told}): check model and base_url."
        else:
            said = f"{who} refused the request ({told}): change what it names."
        return RefusedError(said, status=status, code=code, param=param, reason=reason)

    def _of_line(self, error: Exception, who: str) -> UnavailableError:
        import httpx2  # noqa: PLC0415 -- see above

        cause = error.__cause__ or error
        told = f" ({self.redacted(str(cause))})" if str(cause) else ""
        if isinstance(cause, httpx2.ConnectError | OSError):
            return UnavailableError(f"{who} cannot be reached{told}: check base_url and the network.")
        return UnavailableError(f"{who} broke off the connection{told}: try again, or see the server's log.")


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds a response asks to wait; None when it does not say, or names an instant that is past.

    A date counts from the response's own Date: our clock and the server's need not agree.
    """
    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        try:
            seconds = float(headers[name]) / unit
        except (KeyError, ValueError):
            continue
        return seconds if math.isfinite(seconds) and seconds >= 0 else None
    try:
        until, sent = (parsedate_to_datetime(headers[name]) for name in ("retry-after", "date"))
        seconds = (until - sent).total_seconds()
    except (KeyError, ValueError, TypeError, OverflowError):
        return None
    return seconds if seconds > 0 else None


def _host(base_url: str) -> str:
    """Where an address leads, without the credentials it may carry."""
    try:
        parts = urlsplit(base_url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or parts.scheme not in ("http", "https") or re.search(r"\s", base_url):
        raise ConfigError("base_url must be an address such as http://localhost:11434/v1.")
    return f"{host}:{port}" if port else host


def _value(reply: Any) -> Any:
    """The SDK reads JSON only under its content type and gives other bodies as text."""
    if isinstance(reply, str):
        try:
            return json.loads(reply)
        except (ValueError, RecursionError):
            return reply
    return reply


def _details(body: Any) -> tuple[str, str, str, str]:
    """Message, code, type and param of an error body, in any of the forms that servers give it."""
    if isinstance(body, list) and body:
        body = body[0]
    if isinstance(body, dict) and isinstance(body.get("error"), dict):
        body = body["error"]
    if not isinstance(body, dict):
        message = body if isinstance(body, str) and not body.lstrip().startswith("<") else ""
        return message, "", "", ""
    texts = [body.get(name) for name in ("message", "detail", "error")]
    message = next((text for text in texts if isinstance(text, str) and text), "")
    marks = (body.get(name) for name in ("code", "type", "param"))
    code, kind, param = ("" if mark in (None, "None") else str(mark) for mark in marks)
    return message or json.dumps(body, ensure_ascii=False), code, kind, param
