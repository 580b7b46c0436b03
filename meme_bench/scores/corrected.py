"""The audited key: what a second reading of LoCoMo found its answers and evidence to be.

Flows in: locomo10_errors.json (CC BY-NC, by path). Flows out: for each question it corrects, the answer and
the evidence. Remarks of the audit that stand inside an answer are no part of it and are left out; where
they are all there is, the published answer stays. Some corrected answers are sentences ("Cannot be determined
...") that no F1 does justice to: a judge does.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from meme import UsageError
from meme_bench.records import Answered

_REMARK: Final = re.compile(
    r"\s*\((?:but\b|(?=[^)]*(?:\bD\d+:\d+|\banswer\b|\bcitation\b|\binference\b)))[^)]*\)", re.IGNORECASE
)
_ABOUT_THE_KEY: Final = re.compile(r"\bgolden answer\b", re.IGNORECASE)


class Correction(NamedTuple):
    """What the audit holds to be right. `answer` is None where it leaves the published one as it is."""

    answer: str | None
    evidence: tuple[str, ...]


def read(path: Path) -> dict[str, Correction]:
    """The corrections by question id. Raises UsageError for a file that is no such key."""
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        return {
            row["question_id"]: Correction(
                _answer(str(row["correct_answer"])), tuple(row["correct_evidence"])
            )
            for row in rows
        }
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(
            f"{path} is no audited key: a list of objects with question_id, correct_answer and "
            "correct_evidence is expected."
        ) from error


def _answer(text: str) -> str | None:
    bare = _REMARK.sub("", text).strip()
    return None if not bare or _ABOUT_THE_KEY.search(bare) else bare


def apply(answers: Iterable[Answered], key: Mapping[str, Correction]) -> tuple[Answered, ...]:
    """The answers with the audited gold and evidence in place of the published."""
    return tuple(_corrected(one, key.get(one.question)) for one in answers)


def _corrected(one: Answered, found: Correction | None) -> Answered:
    if found is None:
        return one
    gold = one.gold if found.answer is None or one.gold is None else found.answer
    return replace(one, gold=gold, evidence=found.evidence)
