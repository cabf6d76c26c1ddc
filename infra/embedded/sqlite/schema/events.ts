/**
 * `event` holds what seldom changes and most indexes. `gathered` is description, tags, details and conditions as they stood when it was
 * last written. `host` and `address`, null once a CI is found, let a later one be found.
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
 * `tally` holds what every duplicate changes, narrow, so that a duplicate dirties few pages. `slot` is `last` in steps of minutes: its
 * index stands still while an event repeats within a step. `latest` is newer than `gathered`.
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

/** A recovery names the event that it ended: what comes late is counted there. */
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
export const EVENTS = [EVENT, TALLY, COUNTS, DELIVERIES].join('');
