"""Compare readers of time phrases on the phrases of the test suite: right answers and milliseconds each.

Run: python benchmarks/date_parsers.py (metadate is optional: pip install metadate).
A reader gets the sentence and the day it was said; dateparser.parse reads no sentences, it gets the
phrase. "right" asks for the first and last day at the phrase's precision; "inside" only for a day
within them, which is all dateparser can give.
"""

import sys
import time
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "language"))

from time_cases import ABROAD, RESOLVED, SEPTEMBER

from meme.language.times import spot

Span = tuple[date, date]
Case = tuple[tuple[str, str], datetime, Span]  # (phrase, sentence), when it was said, what it means
Reader = Callable[[str, datetime], Span | None]


def own(phrase: str, said_at: datetime) -> Span | None:
    found = [s.happened for s in spot(phrase, said_at) if s.happened]
    return (found[0].start, found[0].end) if found else None


def by_dateparser() -> Reader:
    import dateparser

    def read(phrase: str, said_at: datetime) -> Span | None:
        settings = {"RELATIVE_BASE": said_at.replace(tzinfo=None)}
        found = dateparser.parse(phrase, settings=settings)
        return (found.date(), found.date()) if found else None

    return read


def by_dateparser_search() -> Reader:
    from dateparser.search import search_dates

    def read(phrase: str, said_at: datetime) -> Span | None:
        settings = {"RELATIVE_BASE": said_at.replace(tzinfo=None)}
        found = search_dates(phrase, languages=["en"], settings=settings)
        return (found[0][1].date(), found[0][1].date()) if found else None

    return read


def by_metadate() -> Reader:
    from metadate import parse_date

    def read(phrase: str, said_at: datetime) -> Span | None:
        found = parse_date(phrase, reference_date=said_at.replace(tzinfo=None))
        if not getattr(found, "start_date", None):
            return None
        # Its ends are exclusive instants.
        return found.start_date.date(), max(found.start_date.date(), _last_day(found.end_date))

    return read


def _last_day(end: datetime) -> date:
    midnight = (end.hour, end.minute, end.second) == (0, 0, 0)
    return date.fromordinal(end.toordinal() - midnight)


def measure(name: str, make: Callable[[], Reader], sentences: bool, cases: list[Case]) -> None:
    began = time.perf_counter()
    try:
        reader = make()
    except ImportError as error:
        print(f"{name:18} not installed ({error})")
        return
    reader(cases[0][0][sentences], cases[0][1])
    warm = time.perf_counter() - began
    right = inside = failed = 0
    began = time.perf_counter()
    for texts, said_at, (start, end) in cases:
        try:
            found = reader(texts[sentences], said_at)
        except Exception:  # noqa: BLE001 - a benchmark counts what a library throws
            failed += 1
            continue
        right += found == (start, end)
        inside += found is not None and start <= found[0] and found[1] <= end
    each = (time.perf_counter() - began) / len(cases) * 1000
    share = f"right {right}/{len(cases)}  inside {inside}  raised {failed}"
    print(f"{name:18} {share}  {each:.3f} ms each  start {warm:.2f} s")


def main() -> None:
    def span(first: str, last: str) -> Span:
        return date.fromisoformat(first), date.fromisoformat(last)

    english = [((p, text), at, span(a, b)) for text, at, p, a, b, _ in RESOLVED]
    abroad = [((p, text), SEPTEMBER, span(a, b)) for text, p, a, b, _ in ABROAD]
    readers = {
        "meme": lambda: own,
        "dateparser": by_dateparser,
        "dateparser search": by_dateparser_search,
        "metadate": by_metadate,
    }
    for title, cases in (("English", english), ("other languages", abroad)):
        print(f"# {title}: {len(cases)} phrases")
        for name, make in readers.items():
            measure(name, make, name != "dateparser", cases)


if __name__ == "__main__":
    main()
