import type { DatabaseSync } from 'node:sqlite';
import { GROUP_STATE } from './schema/group-state.ts';
import { TOPOLOGY } from './schema/topology.ts';

/**
 * `event` holds rarely changing columns and most indexes. `gathered` is description, tags, details and conditions as of
 * the last write. `host` and `address`, null once a CI is found, let a later one be found.
 */
const EVENT = `
CREATE TABLE event (
  seq INTEGER PRIMARY KEY, tenant TEXT NOT NULL, id TEXT NOT NULL, status INTEGER NOT NULL, severity INTEGER NOT NULL,
  source TEXT NOT NULL, timestamp INTEGER NOT NULL, created_at INTEGER NOT NULL, created_position INTEGER NOT NULL,
  identity TEXT NOT NULL, ci_id TEXT, host TEXT, address TEXT, correlation_id TEXT, resolved_at INTEGER, open_ms INTEGER,
  body TEXT NOT NULL, state TEXT NOT NULL, gathered TEXT NOT NULL, is_change INTEGER NOT NULL DEFAULT 0, signature TEXT,
  silenced_by TEXT) STRICT;
CREATE UNIQUE INDEX event_id ON event (tenant, id);
CREATE INDEX event_timestamp ON event (tenant, timestamp);
CREATE INDEX event_status ON event (tenant, status, timestamp, severity);
CREATE INDEX event_severity ON event (tenant, severity, id);
CREATE INDEX event_source ON event (tenant, source, timestamp);
CREATE INDEX event_created ON event (tenant, created_at);
CREATE INDEX event_ci ON event (tenant, ci_id, timestamp) WHERE ci_id IS NOT NULL;
CREATE INDEX event_unbound ON event (tenant, host) WHERE ci_id IS NULL AND status <> 2;
CREATE INDEX event_unbound_address ON event (tenant, address)
  WHERE ci_id IS NULL AND status <> 2 AND address IS NOT NULL;
CREATE INDEX event_correlation ON event (tenant, correlation_id, timestamp) WHERE correlation_id IS NOT NULL;
CREATE INDEX event_resolved ON event (tenant, resolved_at, open_ms) WHERE resolved_at IS NOT NULL;
CREATE INDEX event_standing ON event (seq) WHERE status <> 2;
CREATE INDEX event_change ON event (tenant) WHERE is_change = 1 AND status <> 2;
CREATE INDEX event_signature ON event (tenant, signature, timestamp) WHERE signature IS NOT NULL;
CREATE INDEX event_silenced ON event (tenant, silenced_by) WHERE silenced_by IS NOT NULL;
CREATE INDEX event_held ON event (tenant, silenced_by, seq) WHERE silenced_by IS NOT NULL AND status = 3;
`;

/**
 * `tally` holds the columns that every duplicate changes, narrow, so that a duplicate dirties few pages. `slot` is
 * `last` in steps of minutes: its index is constant while an event repeats within a step. `latest` is newer than
 * `gathered`.
 */
const TALLY = `
CREATE TABLE tally (
  seq INTEGER PRIMARY KEY, tenant TEXT NOT NULL, status INTEGER NOT NULL, severity INTEGER NOT NULL,
  first INTEGER NOT NULL, last INTEGER NOT NULL, slot INTEGER NOT NULL, count INTEGER NOT NULL,
  magnitude INTEGER NOT NULL, seen_bin INTEGER NOT NULL, seen_bits INTEGER NOT NULL, position INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, latest TEXT) STRICT;
CREATE INDEX tally_slot ON tally (tenant, slot, first, status, severity);
CREATE INDEX tally_magnitude ON tally (tenant, magnitude);
CREATE INDEX tally_open ON tally (tenant, slot) WHERE status <> 2;
`;

/** Numbers by hour of event time, so that a histogram of weeks reads no events but those of its first and last hour. */
const COUNTS = `
CREATE TABLE event_count (
  tenant TEXT NOT NULL, source TEXT NOT NULL, status INTEGER NOT NULL, severity INTEGER NOT NULL, n INTEGER NOT NULL,
  PRIMARY KEY (tenant, source, status, severity)) STRICT, WITHOUT ROWID;
CREATE TABLE event_hour (
  tenant TEXT NOT NULL, hour INTEGER NOT NULL, status INTEGER NOT NULL, severity INTEGER NOT NULL, n INTEGER NOT NULL,
  PRIMARY KEY (tenant, hour, status, severity)) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE event_text USING fts5 (tenant, title, description, content = '', contentless_delete = 1);
`;

/** A recovery names the event that it ended: late occurrences are counted there. */
const DELIVERIES = `
CREATE TABLE delivery (
  tenant TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, position INTEGER NOT NULL, receipt TEXT NOT NULL,
  PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE INDEX delivery_at ON delivery (at);
CREATE TABLE recovery (
  tenant TEXT NOT NULL, condition TEXT NOT NULL, at INTEGER NOT NULL, received_at INTEGER NOT NULL,
  position INTEGER NOT NULL, event TEXT, PRIMARY KEY (tenant, condition)) STRICT, WITHOUT ROWID;
CREATE INDEX recovery_received ON recovery (received_at);
`;

/** Status is the place in STATUSES, severity the rank; `tally` repeats both so that its index answers counts over a time range alone. */
const EVENTS = [EVENT, TALLY, COUNTS, DELIVERIES].join('');

/**
 * One search word for tenant and kind. It ends with a digit, so that no suffix of it is mistaken for that of a word.
 */
const SCOPE = (row: string): string => `'t' || lower(hex(${row}.tenant)) || 'x' || ${row}.kind || '0'`;
const INDEX = `INSERT INTO search_text (rowid, scope, title, text, concepts)
    VALUES (new.n, ${SCOPE('new')}, new.title, new.text, new.concepts);`;
/** A list, whatever was written there manually. */
const KEYWORDS = (row: string): string => `json_each(iif(json_valid(${row}.keywords), ${row}.keywords, '[]'))`;
const TAG = `INSERT OR IGNORE INTO search_keyword SELECT new.tenant, value, new.n FROM ${KEYWORDS('new')};`;
const UNTAG = `DELETE FROM search_keyword
    WHERE tenant = old.tenant AND n = old.n AND keyword IN (SELECT value FROM ${KEYWORDS('old')});`;

/**
 * Searchable documents. Triggers maintain the index of words and that of keywords, so that deleting a row deletes all
 * of it. `search_word` has the full words, by which typing errors are detected.
 */
const SEARCH = `
CREATE TABLE search_document (
  n INTEGER PRIMARY KEY, tenant TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL,
  title TEXT NOT NULL, text TEXT NOT NULL, concepts TEXT NOT NULL, keywords TEXT NOT NULL, facts TEXT NOT NULL) STRICT;
CREATE UNIQUE INDEX search_document_id ON search_document (tenant, kind, id);
CREATE INDEX search_document_at ON search_document (tenant, kind, at, id);
CREATE VIRTUAL TABLE search_text USING fts5 (
  scope, title, text, concepts, content = '', contentless_delete = 1, tokenize = 'porter unicode61');
CREATE TABLE search_keyword (
  tenant TEXT NOT NULL, keyword TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (tenant, keyword, n)) STRICT, WITHOUT ROWID;
CREATE TRIGGER search_document_made AFTER INSERT ON search_document BEGIN ${INDEX} ${TAG} END;
CREATE TRIGGER search_document_gone AFTER DELETE ON search_document BEGIN
  DELETE FROM search_text WHERE rowid = old.n; ${UNTAG}
END;
CREATE TRIGGER search_document_said AFTER UPDATE ON search_document
WHEN old.title <> new.title OR old.text <> new.text OR old.concepts <> new.concepts BEGIN
  DELETE FROM search_text WHERE rowid = old.n; ${INDEX}
END;
CREATE TRIGGER search_document_tagged AFTER UPDATE ON search_document WHEN old.keywords <> new.keywords BEGIN
  ${UNTAG} ${TAG}
END;
CREATE TABLE search_word (n INTEGER PRIMARY KEY, tenant TEXT NOT NULL, word TEXT NOT NULL) STRICT;
CREATE UNIQUE INDEX search_word_word ON search_word (tenant, word);
CREATE VIRTUAL TABLE search_word_parts USING fts5 (
  word, content = '', contentless_delete = 1, tokenize = 'trigram', detail = none);
CREATE TRIGGER search_word_made AFTER INSERT ON search_word BEGIN
  INSERT INTO search_word_parts (rowid, word) VALUES (new.n, new.word);
END;
CREATE TRIGGER search_word_gone AFTER DELETE ON search_word BEGIN
  DELETE FROM search_word_parts WHERE rowid = old.n;
END;
`;

/** Documents whose words are not in the index yet: `SEARCH_SETTLED` puts those of a transaction there at once. */
const DUE = 'INSERT INTO search_due VALUES (new.n) ON CONFLICT DO NOTHING;';
const SEARCH_DUE = `
CREATE TABLE search_due (n INTEGER PRIMARY KEY) STRICT;
DROP TRIGGER search_document_made;
CREATE TRIGGER search_document_made AFTER INSERT ON search_document BEGIN ${DUE} ${TAG} END;
DROP TRIGGER search_document_said;
CREATE TRIGGER search_document_said AFTER UPDATE ON search_document
WHEN old.title <> new.title OR old.text <> new.text OR old.concepts <> new.concepts BEGIN ${DUE} END;
`;

/** Executed after documents were written, in the same transaction. */
export const SEARCH_SETTLED = [
  `INSERT OR REPLACE INTO search_text (rowid, scope, title, text, concepts)
    SELECT d.n, ${SCOPE('d')}, d.title, d.text, d.concepts
    FROM search_due CROSS JOIN search_document d ON d.n = search_due.n ORDER BY d.n`,
  'DELETE FROM search_due',
];

/** `surroundings_hash` is only read as a list, so that it grows at its end. `ci_name` numbers the CI ids that surroundings name. */
const ENRICHED = `
CREATE TABLE settings_snapshot (id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, body TEXT NOT NULL) STRICT;
CREATE TABLE ci_name (n INTEGER PRIMARY KEY, id TEXT NOT NULL) STRICT;
CREATE TABLE surroundings (
  id INTEGER PRIMARY KEY, tenant TEXT NOT NULL, hash INTEGER NOT NULL, body BLOB NOT NULL) STRICT;
CREATE INDEX surroundings_hash ON surroundings (id, hash);
CREATE TABLE enriched (
  seq INTEGER PRIMARY KEY, position INTEGER NOT NULL, tenant TEXT NOT NULL, event TEXT NOT NULL, time INTEGER NOT NULL,
  late INTEGER NOT NULL, settings INTEGER NOT NULL, surroundings INTEGER NOT NULL, arrival TEXT NOT NULL,
  rates TEXT NOT NULL) STRICT;
CREATE UNIQUE INDEX enriched_position ON enriched (position, tenant);
CREATE INDEX enriched_event ON enriched (tenant, event, position);
CREATE INDEX enriched_time ON enriched (tenant, time, position);
`;

/** `decision_link` refers to events by the number that `eventKey` computes from their ids, to decisions by `seq`. */
const DECISIONS = `
CREATE TABLE decision (
  seq INTEGER PRIMARY KEY, position INTEGER NOT NULL, tenant TEXT NOT NULL, event TEXT NOT NULL, grp TEXT,
  outcome TEXT NOT NULL, links TEXT NOT NULL) STRICT;
CREATE UNIQUE INDEX decision_position ON decision (position, tenant);
CREATE INDEX decision_grp ON decision (tenant, grp, position) WHERE grp IS NOT NULL;
CREATE TABLE decision_link (
  event INTEGER NOT NULL, decision INTEGER NOT NULL, PRIMARY KEY (event, decision)) STRICT, WITHOUT ROWID;
`;

const GROUPS = `
CREATE TABLE grp (
  tenant TEXT NOT NULL, id TEXT NOT NULL, status TEXT NOT NULL, merged_into TEXT, first INTEGER NOT NULL,
  last INTEGER NOT NULL, size INTEGER NOT NULL, position INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
CREATE UNIQUE INDEX grp_id ON grp (tenant, id);
CREATE INDEX grp_last ON grp (tenant, last, id) WHERE status <> 'merged';
CREATE INDEX grp_first ON grp (tenant, first, id) WHERE status <> 'merged';
CREATE INDEX grp_size ON grp (tenant, size, id) WHERE status <> 'merged';
CREATE INDEX grp_open ON grp (position) WHERE status = 'open';
CREATE TABLE grp_alias (
  tenant TEXT NOT NULL, alias TEXT NOT NULL, grp TEXT NOT NULL, PRIMARY KEY (tenant, alias)) STRICT, WITHOUT ROWID;
`;

const CORRELATION = [ENRICHED, DECISIONS, GROUPS].join('');

const TENANT_WORD = (row: string): string => `'t' || lower(hex(${row}.tenant))`;

/**
 * `facet_value` numbers the values of a kind by which lists of events are narrowed; a value may have two numbers. Kinds are those of
 * `FACET_KINDS`, then 6 tags and 7 teams.
 */
const VALUES = `
CREATE TABLE facet_value (
  n INTEGER PRIMARY KEY, tenant TEXT NOT NULL, kind INTEGER NOT NULL, value TEXT NOT NULL) STRICT;
CREATE INDEX facet_value_value ON facet_value (tenant, kind, value);
CREATE VIRTUAL TABLE facet_host USING fts5 (scope, host, content = '', contentless_delete = 1);
CREATE TRIGGER facet_value_made AFTER INSERT ON facet_value WHEN new.kind = 0 BEGIN
  INSERT INTO facet_host (rowid, scope, host) VALUES (new.n, ${TENANT_WORD('new')}, new.value);
END;
CREATE TRIGGER facet_value_gone AFTER DELETE ON facet_value WHEN old.kind = 0 BEGIN
  DELETE FROM facet_host WHERE rowid = old.n;
END;
`;

/**
 * The numbers of an event's values, with the fields needed to count it without reading it. Flags: 1 in a group, 2 bound
 * to a CI, 4 recurring.
 */
const EVENT_FACET = `
CREATE TABLE event_facet (
  seq INTEGER PRIMARY KEY, timestamp INTEGER NOT NULL, status INTEGER NOT NULL, severity INTEGER NOT NULL,
  flags INTEGER NOT NULL, source INTEGER, host INTEGER, service INTEGER, environment INTEGER, ci INTEGER,
  assignee INTEGER, team INTEGER) STRICT;
CREATE INDEX event_facet_host ON event_facet (host) WHERE host IS NOT NULL;
CREATE INDEX event_facet_service ON event_facet (service) WHERE service IS NOT NULL;
CREATE INDEX event_facet_environment ON event_facet (environment) WHERE environment IS NOT NULL;
CREATE INDEX event_facet_assignee ON event_facet (assignee) WHERE assignee IS NOT NULL;
CREATE INDEX event_facet_team ON event_facet (team) WHERE team IS NOT NULL;
CREATE TABLE event_tag (tag INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (tag, seq)) STRICT, WITHOUT ROWID;
`;

const FACETS = [VALUES, EVENT_FACET].join('');

/**
 * `outbox` holds sink events, one row per batch. `last`: number of its last entry; `at`: time of writing, ms; the body
 * holds all entries.
 */
const RECORDS = `
CREATE TABLE cursor (name TEXT PRIMARY KEY, position INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE outbox (last INTEGER PRIMARY KEY, at INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
CREATE TABLE record (
  tenant TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, revision INTEGER NOT NULL, expires_at INTEGER,
  body TEXT NOT NULL, PRIMARY KEY (tenant, kind, id)) STRICT, WITHOUT ROWID;
CREATE INDEX record_expiry ON record (expires_at) WHERE expires_at IS NOT NULL;
`;

/** One step of the file's layout. A step that was released never changes. */
interface Migration {
  readonly id: number;
  readonly name: string;
  /** Any number of statements; all of them are applied or none. */
  readonly sql: string;
}

/** Version 0.1.0 begins here. Layouts below are of versions before it. */
export const FIRST_LAYOUT = 100;

/** Ids count from FIRST_LAYOUT without gaps. */
export const MIGRATIONS: readonly Migration[] = [
  {
    id: FIRST_LAYOUT,
    name: 'schema',
    sql: [EVENTS, FACETS, CORRELATION, RECORDS, TOPOLOGY, SEARCH, GROUP_STATE].join(''),
  },
  { id: FIRST_LAYOUT + 1, name: 'documents wait for their index', sql: SEARCH_DUE },
];

export const NEWEST_LAYOUT = FIRST_LAYOUT + MIGRATIONS.length - 1;

/** The file's layout: the id of the last migration applied, 0 for an empty file. */
export const layoutOf = (db: DatabaseSync): number =>
  Number((db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version);

const apply = (db: DatabaseSync, migration: Migration): void => {
  db.exec('BEGIN IMMEDIATE');
  try {
    db.exec(migration.sql);
    db.exec(`PRAGMA user_version = ${migration.id}`);
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw new Error(`Migration ${migration.id} (${migration.name}) failed`, { cause: error });
  }
};

/** Brings the file to the newest layout, each step in its own transaction. */
export function migrate(db: DatabaseSync, migrations: readonly Migration[] = MIGRATIONS): void {
  const layout = layoutOf(db);
  for (const migration of migrations) if (migration.id > layout) apply(db, migration);
}
