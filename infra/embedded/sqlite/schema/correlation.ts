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

/** `decision_link` names events by the number that `eventKey` makes of their ids, decisions by `seq`. */
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

export const CORRELATION = [ENRICHED, DECISIONS, GROUPS].join('');
