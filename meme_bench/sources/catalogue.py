"""What is known about datasets: where each comes from, under which licence, and how to tell its file.

Flows in: nothing. Flows out: the list that `meme-bench datasets` shows.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Known:
    """A dataset that can be loaded. `sha256` is of the file that was read here, None where none was."""

    name: str
    about: str
    questions: int
    home: str
    licence: str
    sha256: str | None = None
    note: str = ""


_LONGMEMEVAL: Final = "https://huggingface.co/datasets/xiaowu0162/longmemeval-cleaned"
_UNTRIED: Final = "read as its documentation describes it; no copy was at hand to check the loader with"

KNOWN: Final = (
    Known(
        name="locomo10",
        about="LoCoMo: 10 conversations of two people, 5,882 turns in 272 sessions",
        questions=1986,
        home="https://github.com/snap-research/locomo (data/locomo10.json)",
        licence="CC BY-NC 4.0",
        sha256="79fa87e90f04081343b8c8debecb80a9a6842b76a7aa537dc9fdf651ea698ff4",
        note="not part of this package; run files quote it and are under its licence",
    ),
    Known(
        name="longmemeval_oracle",
        about="LongMemEval, evidence sessions only",
        questions=500,
        home=_LONGMEMEVAL,
        licence="MIT (by the card of its first release)",
        note=_UNTRIED,
    ),
    Known(
        name="longmemeval_s",
        about="LongMemEval S, histories of about 40 sessions",
        questions=500,
        home=_LONGMEMEVAL,
        licence="MIT (by the card of its first release)",
        note=_UNTRIED,
    ),
    Known(
        name="longmemeval_m",
        about="LongMemEval M, histories of about 500 sessions",
        questions=500,
        home=_LONGMEMEVAL,
        licence="MIT (by the card of its first release)",
        note=f"2.7 GB, held in memory whole; {_UNTRIED}",
    ),
    Known(
        name="sample",
        about="the packaged sample in LoCoMo's format: 2 conversations, for trying commands",
        questions=22,
        home="meme-bench sample -o sample_bench.json",
        licence="MIT or Apache-2.0",
        sha256="fbc19c5ffbcd04e28e8d48381b058231d17b0b9f5d1ed76213e95aded5a525a3",
        note="too small to compare systems with",
    ),
)


def known(sha256: str) -> Known | None:
    """The dataset a file is, by its checksum; None for a file that is not known."""
    return next((one for one in KNOWN if one.sha256 == sha256), None)
