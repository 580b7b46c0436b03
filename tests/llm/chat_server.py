"""A loopback endpoint that answers from a script as chat servers do: well, badly, slowly or not at all."""

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

How = Literal["whole", "dripping", "cut", "reset", "silent"]


@dataclass(frozen=True)
class Answer:
    """One answer. `body` is JSON, or bytes that are sent as they are; a Date is only sent when given.

    `how`: dripping sends a byte now and then and never ends; cut closes before the announced length;
    reset breaks the connection off; silent says nothing.
    """

    status: int
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    how: How = "whole"

    @property
    def data(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


def completion(content: Any, *, finish: Any = "stop", **message: Any) -> dict[str, Any]:
    """A chat-completion body around one message."""
    return {
        "id": "c",
        "object": "chat.completion",
        "created": 0,
        "model": "served",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish,
                "message": {"role": "assistant", "content": content, **message},
            }
        ],
        "usage": {
            "prompt_tokens": 11,
            "completion_tokens": 7,
            "total_tokens": 18,
            "prompt_tokens_details": {"cached_tokens": 3},
        },
    }


def good(content: Any) -> Answer:
    """A completion with status 200."""
    return Answer(200, completion(content))


def failure(
    status: int, code: str = "nope", message: str = "no", param: str | None = None, **headers: str
) -> Answer:
    """An error body in OpenAI's form; `retry_after="2"` becomes a header."""
    error = {"message": message, "type": code, "code": code, "param": param}
    return Answer(
        status, {"error": error}, {name.replace("_", "-"): value for name, value in headers.items()}
    )


Script = list[Answer] | Callable[[Mapping[str, Any]], Answer]


@dataclass
class Server:
    """Answers are served in order, the last one again and again; or a function of the request decides.

    `accepts` limits the reply formats.
    """

    script: Script
    accepts: tuple[str, ...] = ("json_schema", "json_object", "text")
    url: str = ""
    requests: list[Mapping[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)

    @property
    def formats(self) -> list[str]:
        return [format_of(request) for request in self.requests]

    def answer(self, request: Mapping[str, Any]) -> Answer:
        self.requests.append(request)
        if format_of(request) not in self.accepts:
            return failure(400, "unsupported", "response_format is not supported")
        if callable(self.script):
            return self.script(request)
        return self.script.pop(0) if len(self.script) > 1 else self.script[0]


def format_of(request: Mapping[str, Any]) -> str:
    """The reply format that a request asks for."""
    return str(request.get("response_format", {}).get("type", "text"))


def _handler(server: Server, stopping: threading.Event) -> type[BaseHTTPRequestHandler]:
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle(self) -> None:
            with suppress(ConnectionError):  # a client that has had enough
                super().handle()

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                server.keys.append(self.headers.get("Authorization", ""))
                answer = server.answer(request)
            if answer.how == "silent":
                stopping.wait()
            elif answer.how == "reset":
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            else:
                self.send(answer)
            self.close_connection = answer.how != "whole"

        def send(self, answer: Answer) -> None:
            self.send_response_only(answer.status)
            self.send_header("Content-Type", answer.content_type)
            surplus = 0 if answer.how == "whole" else 1_000_000
            self.send_header("Content-Length", str(len(answer.data) + surplus))
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer.data)
            while answer.how == "dripping" and not stopping.wait(0.01):
                self.wfile.write(b" ")

        def log_message(self, *_: Any) -> None:
            return

    return Handler


@contextmanager
def serving(server: Server) -> Iterator[Server]:
    """The server on a free port of this machine."""
    stopping = threading.Event()
    listening = ThreadingHTTPServer(("127.0.0.1", 0), _handler(server, stopping))
    listening.daemon_threads = True
    thread = threading.Thread(target=listening.serve_forever, args=(0.05,))
    thread.start()
    server.url = f"http://127.0.0.1:{listening.server_address[1]}/v1"
    try:
        yield server
    finally:
        stopping.set()
        listening.shutdown()
        thread.join()
        listening.server_close()
