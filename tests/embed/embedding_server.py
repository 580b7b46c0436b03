"""A loopback endpoint that answers like OpenAI's /embeddings."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = tuple[int, Any]  # HTTP status, and a JSON body (or bytes, sent as they are)


def body(vectors: list[Any]) -> dict[str, Any]:
    """An embeddings body around vectors, in reverse order: `index` tells which is which."""
    data = [{"object": "embedding", "index": i, "embedding": vector} for i, vector in enumerate(vectors)]
    return {"object": "list", "model": "served", "data": data[::-1], "usage": {"prompt_tokens": 1}}


@contextmanager
def serving(answer: Callable[[Mapping[str, Any]], Answer]) -> Iterator[str]:
    """The base URL of an endpoint on a free port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle(self) -> None:
            with suppress(ConnectionError):  # a client that was cancelled
                super().handle()

        def do_POST(self) -> None:
            status, reply = answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            data = reply if isinstance(reply, bytes) else json.dumps(reply).encode()
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
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
