"""A window's verdicts in, what is journaled about it out: entries, events, one change set.

Flows in: a window, its extraction and its decisions. Flows out: the records of one commit, and the result the
caller gets. Will not write anything.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from itertools import chain

from meme.events import Added, Corroborated, Event, Retracted, Superseded
from meme.records import ChangeSet, Decision, Fact, MemoryEntry, StageUsage, Window
from meme.results import WriteResult
from meme.write.extract import Extraction
from meme.write.reconcile import Reconciled, restated


class Settled:
    """One window's verdicts turned into entries, events, a change set and a result."""

    def __init__(
        self,
        window: Window,
        extraction: Extraction,
        verdict: Reconciled,
        *,
        known: Mapping[str, MemoryEntry],
        usage: StageUsage,
        now: datetime,
        new_id: Callable[[], str],
    ) -> None:
        self.window = window
        self._given = {turn.id: turn.given for turn in window.turns}
        self._now, self._new_id, self._known = now, new_id, dict(known)
        self.added: list[MemoryEntry] = []
        self.closed: dict[str, str] = {}
        self.same: list[str] = []
        self.events: list[Event] = []
        self.changeset = ChangeSet(
            id=new_id(),
            scope=window.scope,
            recorded_at=self._now,
            decisions=verdict.decisions,
            window_id=window.id,
            nothing=extraction.nothing,
            coverage=extraction.coverage,
            model=verdict.model or extraction.model,
            prompt="+".join(filter(None, (extraction.prompt, verdict.prompt))),
            usage=usage,
        )
        for fact, decision in zip(extraction.facts, verdict.decisions, strict=True):
            self._apply(fact, decision)

    def _apply(self, fact: Fact, decision: Decision) -> None:
        if decision.verb == "NOOP":
            self.same.append(decision.memory_id)
            self._event(decision.memory_id, Corroborated(fact.sources), decision.reason)
            return
        if decision.memory_id not in decision.targets:
            entry = self._entry(fact, decision)
            self.added.append(entry)
            self._known[entry.id] = entry
            self._event(entry.id, Added(entry), decision.reason)
        for target in decision.targets:
            until = fact.said_at
            what = Superseded(decision.memory_id, until) if decision.verb == "UPDATE" else Retracted(until)
            self.closed[target] = decision.verb
            self._event(target, what, decision.reason)

    def _entry(self, fact: Fact, decision: Decision) -> MemoryEntry:
        replaced = [self._known[target] for target in decision.targets if target in self._known]
        fact = restated(fact, decision.content, replaced)
        given = dict(chain.from_iterable(self._given.get(turn, {}).items() for turn in fact.sources))
        return MemoryEntry(
            id=decision.memory_id,
            scope=self.window.scope,
            content=decision.content,
            said_at=fact.said_at,
            recorded_at=self._now,
            kind=given.get("kind", fact.kind),
            keywords=fact.keywords,
            topic=fact.topic,
            persons=fact.persons,
            entities=fact.entities,
            location=fact.location,
            happened=fact.happened,
            importance=given.get("importance", fact.importance),
            sources=fact.sources,
            quote=fact.quote if fact.quote != decision.content else None,
            language=fact.language,
            tags=tuple(given.get("tags", ())),
            metadata=given.get("metadata", {}),
        )

    def _event(self, subject: str, what: Added | Corroborated | Superseded | Retracted, reason: str) -> None:
        self.events.append(Event(self._new_id(), subject, self._now, what, reason, self.changeset.id))

    def result(self) -> WriteResult:
        """What the window did. An entry that was updated is reported with its new wording."""
        replaced = {d.memory_id for d in self.changeset.decisions if d.verb == "UPDATE"}
        retracted = [target for target, verb in self.closed.items() if verb == "DELETE"]
        return WriteResult(
            added=tuple(entry for entry in self.added if entry.id not in replaced),
            updated=tuple(entry for entry in self.added if entry.id in replaced),
            deleted=tuple(self._known[target] for target in retracted if target in self._known),
            unchanged=tuple(self._known[same] for same in self.same if same in self._known),
            coverage=self.changeset.coverage,
            usage=self.changeset.usage,
            changesets=(self.changeset.id,),
        )
