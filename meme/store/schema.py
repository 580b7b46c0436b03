"""The journal's tables. A change here raises FORMAT and needs a step in `UPGRADES`.

`key` is the sequence number of the event that created an entry or a turn: one integer,
unique over both, small enough for every index. `stamp` is the number of the last event that
changed what the projections show; `doctor` compares it row by row. A memory's `body` is NULL
until something changes it: until then it is that of the event that added it, as `entries` shows.
"""

from typing import Final

FORMAT: Final = 2

# What models cost beside the change sets, which carry their own: questions, and windows that failed.
_SPENT: Final = """
CREATE TABLE spent (
    user_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    stage TEXT NOT NULL,
    calls INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    cached_tokens INTEGER NOT NULL,
    seconds REAL NOT NULL,
    PRIMARY KEY (user_id, agent_id, session_id, stage)
) WITHOUT ROWID;
"""

# The turns beside a turn, and the turns an entry rests on, are asked for in every search.
_BESIDE: Final = """
CREATE INDEX IF NOT EXISTS turns_session ON turns (user_id, agent_id, session_id, key);
CREATE INDEX IF NOT EXISTS sources_memory ON sources (memory_key);
"""

TABLES: Final = (
    """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    at TEXT NOT NULL,
    reason TEXT NOT NULL,
    changeset TEXT,
    body TEXT NOT NULL
);
CREATE INDEX events_subject ON events (subject) WHERE kind != 'turn';
CREATE TABLE changesets (
    id TEXT PRIMARY KEY,
    window_id TEXT UNIQUE,
    user_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    body TEXT NOT NULL
);
CREATE INDEX changesets_scope ON changesets (user_id);
CREATE TABLE turns (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    message_key TEXT NOT NULL,
    message_id TEXT,
    speaker TEXT NOT NULL,
    role TEXT NOT NULL,
    text TEXT NOT NULL,
    said_at TEXT NOT NULL,
    recorded_at TEXT NOT NULL,
    attachments TEXT NOT NULL,
    changeset TEXT,
    given TEXT NOT NULL DEFAULT '',
    UNIQUE (user_id, agent_id, session_id, message_key)
);
CREATE INDEX turns_speaker ON turns (user_id, agent_id, speaker);
CREATE INDEX turns_pending ON turns (user_id, agent_id, session_id) WHERE changeset IS NULL;
CREATE TABLE memories (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    stamp INTEGER NOT NULL,
    user_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    status TEXT NOT NULL,
    superseded_by TEXT,
    body TEXT
);
CREATE VIEW entries AS
    SELECT m.key, m.id, m.stamp, m.user_id, m.agent_id, m.session_id, m.status, m.superseded_by,
        coalesce(m.body, (SELECT e.body FROM events e WHERE e.seq = m.key)) AS body
    FROM memories m;
CREATE INDEX memories_scope ON memories (user_id, stamp);
CREATE INDEX memories_successor ON memories (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE TABLE sources (
    turn_id TEXT NOT NULL,
    memory_key INTEGER NOT NULL,
    PRIMARY KEY (turn_id, memory_key)
) WITHOUT ROWID;
CREATE TABLE vectors (key INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE failures (
    window_id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    turns INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    at TEXT NOT NULL,
    reason TEXT NOT NULL
) WITHOUT ROWID;
"""
    + _SPENT
    + _BESIDE
)

_GIVEN: Final = "ALTER TABLE turns ADD COLUMN given TEXT NOT NULL DEFAULT '';"
UPGRADES: Final[dict[int, str]] = {1: f"{_SPENT}{_GIVEN}{_BESIDE}"}  # format n -> the SQL that makes it n + 1
