"""A loopback endpoint that answers like OpenAI's /chat/completions, from a script."""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = tuple[int, Any]  # HTTP status, and a JSON body (or bytes, sent as they are)


def completion(content: Any, *, finish: str = "stop", **message: Any) -> dict[str, Any]:
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


def failure(status: int, code: str = "nope", message: str = "no") -> Answer:
    """An error body in OpenAI's form."""
    return status, {"error": {"message": message, "type": code, "code": code, "param": None}}


@dataclass
class Endpoint:
    """Answers are served in order, the last one again and again; `accepts` limits the reply formats."""

    answers: list[Answer]
    accepts: tuple[str, ...] = ("json_schema", "json_object", "text")
    url: str = ""
    requests: list[Mapping[str, Any]] = field(default_factory=list)

    @property
    def formats(self) -> list[str]:
        return [request.get("response_format", {}).get("type", "text") for request in self.requests]

    def answer(self, request: Mapping[str, Any]) -> Answer:
        self.requests.append(request)
        if self.formats[-1] not in self.accepts:
            return failure(400, "unsupported", "response_format is not supported")
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@contextmanager
def serving(endpoint: Endpoint) -> Iterator[Endpoint]:
    """The endpoint on a free port of this machine."""
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                status, body = endpoint.answer(request)
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    endpoint.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield endpoint
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
