import type { Migration } from './migration.ts';

/**
 * Events, what correlation decided about them, and the runner's own rows.
 * `event` holds what seldom changes and most indexes; `tally` holds what every duplicate changes, narrow, so that a duplicate dirties few pages.
 * `gathered` is description, tags, details and conditions as they stood when it was last written, `latest` what is newer than that.
 * `host` and `address` are what an event that found no CI may find one by later; null when it found one.
 * `slot` is `last` in steps of minutes: its index stands still while an event repeats within a step.
 * `decision_link` names events by the number that `eventKey` makes of their ids, decisions by `seq`.
 * `surroundings_hash` is only read as a list, so that it grows at its end. `ci_name` numbers the CI ids that surroundings name.
 * Status is the place in STATUSES, severity the rank; both are repeated in `tally` so that its index answers counts over a time range alone.
 */
export const pipelineTables: Migration = {
  id: 1,
  name: 'pipeline',
  sql: `
CREATE TABLE event (
  seq INTEGER PRIMARY KEY, tenant TEXT NOT NULL, id TEXT NOT NULL, status INTEGER NOT NULL, severity INTEGER NOT NULL,
  source TEXT NOT NULL, timestamp INTEGER NOT NULL, created_at INTEGER NOT NULL, created_position INTEGER NOT NULL,
  identity TEXT NOT NULL, ci_id TEXT, host TEXT, address TEXT, correlation_id TEXT, resolved_at INTEGER, open_ms INTEGER,
  body TEXT NOT NULL, state TEXT NOT NULL, gathered TEXT NOT NULL) STRICT;
CREATE UNIQUE INDEX event_id ON event (tenant, id);
CREATE INDEX event_timestamp ON event (tenant, timestamp);
CREATE INDEX event_status ON event (tenant, status, timestamp);
CREATE INDEX event_severity ON event (tenant, severity, id);
CREATE INDEX event_source ON event (tenant, source, timestamp);
CREATE INDEX event_created ON event (tenant, created_at);
CREATE INDEX event_ci ON event (tenant, ci_id, timestamp) WHERE ci_id IS NOT NULL;
CREATE INDEX event_unbound ON event (tenant, host) WHERE ci_id IS NULL AND status <> 2;
CREATE INDEX event_unbound_address ON event (tenant, address)
  WHERE ci_id IS NULL AND status <> 2 AND address IS NOT NULL;
CREATE INDEX event_correlation ON event (tenant, correlation_id) WHERE correlation_id IS NOT NULL;
CREATE INDEX event_resolved ON event (tenant, resolved_at, open_ms) WHERE resolved_at IS NOT NULL;
CREATE INDEX event_standing ON event (seq) WHERE status <> 2;

CREATE TABLE tally (
  seq INTEGER PRIMARY KEY, tenant TEXT NOT NULL, status INTEGER NOT NULL, severity INTEGER NOT NULL,
  first INTEGER NOT NULL, last INTEGER NOT NULL, slot INTEGER NOT NULL, count INTEGER NOT NULL,
  magnitude INTEGER NOT NULL, seen_bin INTEGER NOT NULL, seen_bits INTEGER NOT NULL, position INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, latest TEXT) STRICT;
CREATE INDEX tally_slot ON tally (tenant, slot, first, status, severity);
CREATE INDEX tally_magnitude ON tally (tenant, magnitude);

CREATE TABLE event_count (
  tenant TEXT NOT NULL, source TEXT NOT NULL, status INTEGER NOT NULL, severity INTEGER NOT NULL, n INTEGER NOT NULL,
  PRIMARY KEY (tenant, source, status, severity)) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE event_text USING fts5 (tenant, title, description, content = '', contentless_delete = 1);

CREATE TABLE delivery (
  tenant TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, position INTEGER NOT NULL, receipt TEXT NOT NULL,
  PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE INDEX delivery_at ON delivery (at);
CREATE TABLE recovery (
  tenant TEXT NOT NULL, condition TEXT NOT NULL, at INTEGER NOT NULL, received_at INTEGER NOT NULL,
  position INTEGER NOT NULL, PRIMARY KEY (tenant, condition)) STRICT, WITHOUT ROWID;
CREATE INDEX recovery_received ON recovery (received_at);

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

CREATE TABLE decision (
  seq INTEGER PRIMARY KEY, position INTEGER NOT NULL, tenant TEXT NOT NULL, event TEXT NOT NULL, grp TEXT,
  outcome TEXT NOT NULL, links TEXT NOT NULL) STRICT;
CREATE UNIQUE INDEX decision_position ON decision (position, tenant);
CREATE INDEX decision_grp ON decision (tenant, grp, position) WHERE grp IS NOT NULL;
CREATE TABLE decision_link (
  event INTEGER NOT NULL, decision INTEGER NOT NULL, PRIMARY KEY (event, decision)) STRICT, WITHOUT ROWID;

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

CREATE TABLE cursor (name TEXT PRIMARY KEY, position INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE outbox (
  seq INTEGER PRIMARY KEY, topic TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, body ANY NOT NULL) STRICT;
CREATE INDEX outbox_topic ON outbox (topic, last);
CREATE TABLE record (
  tenant TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, revision INTEGER NOT NULL, expires_at INTEGER,
  body TEXT NOT NULL, PRIMARY KEY (tenant, kind, id)) STRICT, WITHOUT ROWID;
CREATE INDEX record_expiry ON record (expires_at) WHERE expires_at IS NOT NULL;
`,
};
