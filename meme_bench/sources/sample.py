"""The packaged sample: two invented conversations with questions of every category, in LoCoMo's format.

Flows in: where to write it. Flows out: the file. It was written for this project; it is there to try the
commands and to test the loaders, and says nothing about the quality of a system.
"""

from importlib.resources import files
from pathlib import Path

from meme import UsageError


def content() -> bytes:
    """The sample as it is packaged: JSON, UTF-8."""
    return (files("meme_bench") / "sources" / "sample.json").read_bytes()


def write(path: Path) -> None:
    """Write the sample to a new file. Raises UsageError where there is one, or where none can be made."""
    try:
        with path.open("xb") as file:
            file.write(content())
    except FileExistsError as error:
        raise UsageError(f"{path} exists: name a new file.") from error
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}.") from error
