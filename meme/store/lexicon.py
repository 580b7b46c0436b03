"""Search by word and by metadata: the projection on Tantivy, and its only home.

Flows in: rows. Flows out: keys ranked by BM25, or by how many asked facets they carry. User text
is never parsed as a query: 107 of 213 ordinary strings made the parser raise, and `field:` in it
can address any field. Tokens become term queries instead. Analyzers are not kept in the index, so
they are registered on every open.
"""

import re
import shutil
import time
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import tantivy

from meme.errors import ProjectionError
from meme.language.words import STOPWORDS, wordless
from meme.records import Scope
from meme.store.projection import Probe, Ranked, Row, counted

_HEAP: Final = 30_000_000  # bytes; tantivy refuses less than 15 MB for a thread
_ORPHAN: Final = re.compile(
    r'FileAlreadyExists\("([\w.-]+)"\)'
)  # seen after kill -9 in the middle of a commit
_ORPHANS: Final = 64  # at most so many: a segment has 7 files, and one kill may follow another
_POSITION: Final = 0  # the reserved document's key: real keys start at 1
_CJK_WEIGHT: Final = 0.5  # two grams of one word should weigh about as much as the word
_LONGEST: Final = 256  # bytes of a token: digests and addresses are words, encoded files are not
_DYING_WAITS: Final = 40  # times 50 ms
_VERSION: Final = "1"  # the schema's; raise it and every index is rebuilt on open


def _schema() -> Any:
    builder = tantivy.SchemaBuilder()
    for name in ("key", "stamp", "start", "end"):
        builder.add_integer_field(name, indexed=True, fast=True)
    for name in ("type", "scope", "facets"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("words", tokenizer_name="meme_words", index_option="freq")
    builder.add_text_field("grams", tokenizer_name="meme_grams", index_option="freq")
    return builder.build()


def _analyzers() -> dict[str, Any]:
    stop = sorted({piece for word in STOPWORDS for piece in word.split("'")})
    words = (
        tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
        .filter(tantivy.Filter.remove_long(_LONGEST))
        .filter(tantivy.Filter.lowercase())
        .filter(tantivy.Filter.ascii_fold())
        .filter(tantivy.Filter.custom_stopword(stop))
        .filter(tantivy.Filter.stemmer("english"))
        .build()
    )
    grams = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.ngram(1, 2, False)).build()
    return {"meme_words": words, "meme_grams": grams}


def _plain(text: str) -> str:
    """Text in one form: accents composed (macOS writes them apart), full-width letters narrow."""
    return unicodedata.normalize("NFKC", text)


def _scope_terms(scope: Scope) -> list[str]:
    """The exact terms a row carries for its scope, one per id (a term holds at most 65,530 bytes)."""
    ids = (("user", scope.user_id), ("agent", scope.agent_id), ("session", scope.session_id))
    return [f"{kind}={value}" for kind, value in ids if value is not None]


class Lexicon:
    """An inverted index in a folder of its own. `open` is cheap; a commit costs about 75 ms."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stems = _analyzers()
        self._index: Any = None
        self._open()

    def _open(self) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            version = self._folder / "meme-version"
            new = not any(self._folder.iterdir())
            if not new and version.read_text() != _VERSION:
                raise ProjectionError("The lexicon has another format.")
            self._schema = _schema()
            self._index = tantivy.Index(self._schema, path=str(self._folder), reuse=True)
            for name, analyzer in self._stems.items():
                self._index.register_tokenizer(name, analyzer)
            self._index.config_reader("manual")
            self._refresh()
            if new:
                version.write_text(_VERSION)  # last: a folder without it was never finished
        except (ValueError, OSError) as error:
            raise ProjectionError(f"The lexicon cannot be opened: {error}") from error

    def _refresh(self) -> Any:
        """A searcher over the newest commit. Rankings on other threads keep the one they began with."""
        self._index.reload()
        self._searcher = self._index.searcher()
        return self._searcher

    def position(self) -> int:
        """See Projection; looks at the disk again, so other processes' commits count."""
        try:
            searcher = self._refresh()
            found = searcher.search(self._term("key", _POSITION), limit=1, count=False).hits
            return _fast(searcher, "stamp", found)[0] if found else 0
        except ValueError as error:
            raise ProjectionError(f"The lexicon cannot be read ({error}); run `meme rebuild`.") from error

    def write(self, rows: Sequence[Row], gone: Sequence[int], position: int) -> None:
        """See Projection: one commit for all of it."""
        folded = {row.key: row for row in rows}
        try:
            for _ in range(_ORPHANS):
                try:
                    self._commit(folded, gone, position)
                    break
                except ValueError as error:
                    self._remove_orphan(error)
            else:
                self._commit(folded, gone, position)
            self._refresh()
        except (ValueError, OSError) as error:
            raise ProjectionError(f"The lexicon cannot be written ({error}); run `meme rebuild`.") from error

    def _commit(self, folded: Mapping[int, Row], gone: Sequence[int], position: int) -> None:
        writer = self._writer()
        try:
            for key in (*gone, *folded, _POSITION):
                writer.delete_documents_by_term("key", key)
            for row in folded.values():
                writer.add_document(self._document(row))
            mark = tantivy.Document()
            mark.add_integer("key", _POSITION)
            mark.add_integer("stamp", position)
            writer.add_document(mark)
            writer.commit()
            writer.wait_merging_threads()  # without it: 61 segments after 60 commits
        finally:
            writer = None  # else an error's traceback keeps it, and with it tantivy's lock

    def _remove_orphan(self, error: ValueError) -> None:
        """Delete the file that a killed commit left where this one wants to write; raise any other error.

        No committed state names it: its number is the operation's, and that commit never happened.
        """
        named = _ORPHAN.search(str(error))
        if named is None:
            raise error
        (self._folder / named.group(1)).unlink(missing_ok=True)

    def _writer(self) -> Any:
        """A writer. Whoever still has one was killed: the store's own lock was already free, tantivy's
        follows at once (seen after kill -9: files are closed one by one)."""
        for _ in range(_DYING_WAITS):
            try:
                return self._index.writer(_HEAP, 1)
            except ValueError as error:
                if "LockBusy" not in str(error):
                    raise
                time.sleep(0.05)
        return self._index.writer(_HEAP, 1)

    def _document(self, row: Row) -> Any:
        document = tantivy.Document()
        for name in ("key", "stamp", "start", "end"):
            document.add_integer(name, getattr(row, name))
        document.add_text("type", row.type)
        for term in _scope_terms(row.scope):
            document.add_text("scope", term)
        for facet in row.facets:
            document.add_text("facets", facet)
        text = _plain(row.text)
        document.add_text("words", text)
        for run in wordless(text).split():
            document.add_text("grams", run)
        return document

    def search(self, probe: Probe) -> list[Ranked]:
        """See Projection: BM25 over stems and, for scripts without spaces, over n-grams."""
        text = _plain(probe.text)
        should = [self._term("words", word) for word in self._tokens("meme_words", text)]
        grams = [g for run in wordless(text).split() for g in self._tokens("meme_grams", run)]
        should += [
            tantivy.Query.boost_query(self._term("grams", gram), _CJK_WEIGHT) for gram in dict.fromkeys(grams)
        ]
        return self._ranked(probe, should) if should else []

    def match(self, probe: Probe) -> list[Ranked]:
        """See LexicalProjection: every wanted facet, and the wanted days, count one."""
        should = [self._flat(self._term("facets", facet)) for facet in probe.wanted]
        if probe.wanted_days:
            first, last = probe.wanted_days
            should.append(self._flat(self._overlap(first, last)))
        return self._ranked(probe, should) if should else []

    def frequency(self, term: str) -> tuple[int, int]:
        """(documents with the stem, all documents), for scoring rows outside the index alike."""
        searcher = self._searcher
        return int(searcher.doc_freq("words", term)), int(searcher.num_docs)

    def inventory(self) -> Mapping[int, int]:
        """See Projection."""
        try:
            searcher = self._refresh()
            total = max(1, int(searcher.num_docs))
            hits = searcher.search(tantivy.Query.all_query(), limit=total, count=False).hits
            found = zip(_fast(searcher, "key", hits), _fast(searcher, "stamp", hits), strict=True)
            return counted((key, stamp) for key, stamp in found if key != _POSITION)
        except ValueError as error:
            raise ProjectionError(f"The lexicon cannot be read ({error}); run `meme rebuild`.") from error

    def reset(self) -> None:
        """See Projection: the folder is made anew, so whatever was wrong with it is gone."""
        self.close()
        shutil.rmtree(self._folder, ignore_errors=True)
        self._open()

    def close(self) -> None:
        """See Projection."""
        self._searcher = self._index = None

    # ------------------------------------------------------------ queries

    def _tokens(self, analyzer: str, text: str) -> list[str]:
        return list(dict.fromkeys(self._stems[analyzer].analyze(text)))[:1024]

    def _term(self, name: str, value: Any) -> Any:
        return tantivy.Query.term_query(self._schema, name, value)

    def _flat(self, query: Any) -> Any:
        return tantivy.Query.const_score_query(query, 1.0)

    def _range(self, name: str, low: int | None, high: int | None) -> Any:
        kind = tantivy.FieldType.Integer
        return tantivy.Query.range_query(self._schema, name, kind, lower_bound=low, upper_bound=high)

    def _overlap(self, first: int | None, last: int | None) -> Any:
        both = [self._range("end", first, None)] if first is not None else []
        both += [self._range("start", None, last)] if last is not None else []
        return tantivy.Query.boolean_query([(tantivy.Occur.Must, query) for query in both])

    def _ranked(self, probe: Probe, should: Sequence[Any]) -> list[Ranked]:
        """At least one of `should`, within the probe's scope and hard conditions."""
        must = [self._term("scope", term) for term in _scope_terms(probe.scope)]
        must += [self._term("facets", facet) for facet in probe.required]
        if probe.type:
            must.append(self._term("type", probe.type))
        if probe.since is not None or probe.until is not None:
            must.append(self._overlap(probe.since, probe.until))
        silent = [tantivy.Query.const_score_query(query, 0.0) for query in must]
        either = tantivy.Query.boolean_query([(tantivy.Occur.Should, query) for query in should])
        whole = tantivy.Query.boolean_query([(tantivy.Occur.Must, query) for query in (either, *silent)])
        searcher = self._searcher
        try:
            hits = searcher.search(whole, limit=probe.limit, count=False).hits
            ranked = zip(_fast(searcher, "key", hits), (score for score, _ in hits), strict=True)
            return [(key, float(score)) for key, score in ranked]
        except ValueError as error:
            raise ProjectionError(f"The lexicon cannot be searched ({error}); run `meme rebuild`.") from error


def _fast(searcher: Any, name: str, hits: Sequence[Any]) -> list[int]:
    return list(searcher.fast_field_values(name, [address for _, address in hits]))
