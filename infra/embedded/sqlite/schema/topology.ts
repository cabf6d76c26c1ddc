/**
 * Current CIs. `name_key` and `description_key` are lower case, searches read `found_key`; binding uses `lookup` (JSON:
 * hostname, fqdn, addresses); `formerly` (JSON) has ids and external keys of CIs merged into one.
 */
const CI = `
CREATE TABLE ci (
  n INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL, status TEXT NOT NULL,
  external_key TEXT, lookup TEXT NOT NULL, description TEXT,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, created_by TEXT NOT NULL, updated_by TEXT NOT NULL,
  revision INTEGER NOT NULL, valid_from INTEGER NOT NULL,
  name_key TEXT NOT NULL, description_key TEXT NOT NULL,
  attributes TEXT NOT NULL, custom_fields TEXT NOT NULL, formerly TEXT, found_key TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE UNIQUE INDEX ci_id ON ci (tenant, id);
CREATE UNIQUE INDEX ci_external_key ON ci (tenant, external_key) WHERE external_key IS NOT NULL;
`;

/**
 * `ci_list` covers every list: filters and sort keys are read from it alone. CIs in maintenance are few: an index names them, so that a
 * start reads no others.
 */
const CI_INDEXES = `
CREATE INDEX ci_list ON ci (tenant, name_key, id, type, status, created_at, updated_at, description_key, found_key);
CREATE INDEX ci_created ON ci (tenant, created_at, id);
CREATE INDEX ci_updated ON ci (tenant, updated_at, id);
CREATE INDEX ci_maintained ON ci (tenant, id) WHERE status = 'maintenance' OR instr(custom_fields, '"maintenance_window"') > 0;
`;

/**
 * `ci_hardware` has CIs with a serial number or hardware address, other names are in memory; `ci_field` has plain
 * values of their fields. The writing code maintains the counts: triggers doubled the time of an insert.
 */
const CI_FACTS = `
CREATE TABLE ci_hardware (
  tenant TEXT NOT NULL, mark TEXT NOT NULL, ci TEXT NOT NULL, PRIMARY KEY (tenant, mark, ci)
) STRICT, WITHOUT ROWID;
CREATE INDEX ci_hardware_ci ON ci_hardware (tenant, ci);
CREATE TABLE ci_count (
  tenant TEXT NOT NULL, type TEXT NOT NULL, status TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (tenant, type, status)
) STRICT, WITHOUT ROWID;
CREATE TABLE ci_field (
  tenant TEXT NOT NULL, field TEXT NOT NULL, value TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (tenant, field, value, n)
) STRICT, WITHOUT ROWID;
CREATE TABLE ci_seen (tenant TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE INDEX ci_seen_at ON ci_seen (tenant, at, id);
`;

/** Earlier versions, with [valid_from, valid_to). */
const CI_PAST = `
CREATE TABLE ci_past (
  n INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL, status TEXT NOT NULL,
  external_key TEXT, description TEXT,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, created_by TEXT NOT NULL, updated_by TEXT NOT NULL,
  revision INTEGER NOT NULL, valid_from INTEGER NOT NULL, valid_to INTEGER NOT NULL,
  removed INTEGER NOT NULL, removed_by TEXT, attributes TEXT NOT NULL, custom_fields TEXT NOT NULL, formerly TEXT
) STRICT;
CREATE INDEX ci_past_id ON ci_past (tenant, id, valid_to);
CREATE INDEX ci_removed ON ci_past (tenant, valid_to) WHERE removed = 1;
`;

/**
 * Relationships in the order in which they are loaded; few have a redundancy, few are or were proposals. `reach_from` is `valid_from`, or null for a first version, which reaches back for ever (decision 3).
 */
const RELATIONSHIP = `
CREATE TABLE relationship (
  tenant TEXT NOT NULL, source TEXT NOT NULL, target TEXT NOT NULL, type TEXT NOT NULL,
  critical INTEGER NOT NULL, reach_from INTEGER, valid_from INTEGER NOT NULL,
  id TEXT NOT NULL, ai INTEGER NOT NULL, discovered_by TEXT NOT NULL, confidence REAL NOT NULL,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, revision INTEGER NOT NULL, attributes TEXT NOT NULL,
  redundancy_group TEXT, redundancy_required INTEGER,
  PRIMARY KEY (tenant, source, target, type)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX relationship_id ON relationship (tenant, id);
CREATE INDEX relationship_target ON relationship (tenant, target);
CREATE INDEX relationship_redundant ON relationship (tenant, source, target, type) WHERE redundancy_group IS NOT NULL;
CREATE INDEX relationship_created ON relationship (tenant, created_at, id, ai);
CREATE INDEX relationship_from_ai ON relationship (tenant, created_at, id)
  WHERE discovered_by IN ('ai', 'ai-accepted');
CREATE TABLE relationship_count (
  tenant TEXT NOT NULL, type TEXT NOT NULL, ai INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (tenant, type, ai)
) STRICT, WITHOUT ROWID;
`;

const RELATIONSHIP_PAST = `
CREATE TABLE relationship_past (
  n INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL, source TEXT NOT NULL, target TEXT NOT NULL, type TEXT NOT NULL,
  critical INTEGER NOT NULL, reach_from INTEGER, valid_from INTEGER NOT NULL, valid_to INTEGER NOT NULL,
  id TEXT NOT NULL, ai INTEGER NOT NULL, discovered_by TEXT NOT NULL, confidence REAL NOT NULL,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, revision INTEGER NOT NULL, attributes TEXT NOT NULL,
  redundancy_group TEXT, redundancy_required INTEGER
) STRICT;
CREATE INDEX relationship_past_id ON relationship_past (tenant, id, valid_to);
CREATE INDEX relationship_past_source ON relationship_past (tenant, source, valid_to);
CREATE INDEX relationship_past_target ON relationship_past (tenant, target, valid_to);
CREATE INDEX relationship_past_end ON relationship_past (tenant, valid_to);
`;

export const TOPOLOGY = [CI, CI_INDEXES, CI_FACTS, CI_PAST, RELATIONSHIP, RELATIONSHIP_PAST].join('');
