/** `outbox` is what sinks are told, one row per batch. `last`: number of its last entry; `at`: when it was written, ms; the body holds all entries. */
export const RECORDS = `
CREATE TABLE cursor (name TEXT PRIMARY KEY, position INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE outbox (last INTEGER PRIMARY KEY, at INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
CREATE TABLE record (
  tenant TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, revision INTEGER NOT NULL, expires_at INTEGER,
  body TEXT NOT NULL, PRIMARY KEY (tenant, kind, id)) STRICT, WITHOUT ROWID;
CREATE INDEX record_expiry ON record (expires_at) WHERE expires_at IS NOT NULL;
`;
