import { canonicalHost } from '#domain/event/identity/system.ts';
import type { Migration } from './migration.ts';

const TENANT_WORD = (row: string): string => `'t' || lower(hex(${row}.tenant))`;
/** Events from before are found among the newest: an older file is opened within seconds. */
const NEWEST = 'seq > (SELECT max(seq) FROM event) - 200000';
const SAID = (name: string): string => `json_extract(body, '$.${name}')`;

/** Kinds of values in the order of `FACET_KINDS`, as an event of before says them. */
const VALUES = [
  `host_key(${SAID('hostname')})`,
  `coalesce(${SAID('service')}, ${SAID('application')})`,
  SAID('environment'),
  'source',
  'ci_id',
  `json_extract(state, '$.assignedTo.id')`,
];
const number = (kind: number, value: string, from: string): string =>
  `(SELECT n FROM facet_value v WHERE v.tenant = ${from}.tenant AND v.kind = ${kind} AND v.value = ${value})`;

/**
 * What lists of events are narrowed by. `facet_value` numbers the values of a kind; `event_facet` has these numbers for each event, with
 * what else is needed to count events without reading them. Flags: 1 in a group, 2 bound to a CI, 4 usual. A value may have two numbers.
 * Tags are the last kind. The index of status learns the severity, so that events over time are counted from it alone.
 */
export const facets: Migration = {
  id: 11,
  name: 'facets',
  functions: { host_key: (host) => (host === null ? '' : canonicalHost(String(host))) },
  sql: `
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
CREATE TABLE event_facet (
  seq INTEGER PRIMARY KEY, timestamp INTEGER NOT NULL, status INTEGER NOT NULL, severity INTEGER NOT NULL,
  flags INTEGER NOT NULL, source INTEGER, host INTEGER, service INTEGER, environment INTEGER, ci INTEGER,
  assignee INTEGER) STRICT;
CREATE TABLE event_tag (tag INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (tag, seq)) STRICT, WITHOUT ROWID;
${VALUES.map(
  (value, kind) => `INSERT INTO facet_value (tenant, kind, value)
  SELECT DISTINCT tenant, ${kind}, ${value} FROM event WHERE ${NEWEST} AND ${value} <> '';`,
).join('\n')}
INSERT INTO facet_value (tenant, kind, value)
  SELECT DISTINCT tenant, 6, t.value FROM event, json_each(gathered, '$[1]') t WHERE ${NEWEST};
INSERT INTO event_facet (seq, timestamp, status, severity, flags, host, service, environment, source, ci, assignee)
  SELECT seq, timestamp, status, severity,
    (correlation_id IS NOT NULL) + 2 * (ci_id IS NOT NULL) + 4 * coalesce(json_extract(state, '$.usual'), 0),
    ${VALUES.map((value, kind) => number(kind, value, 'e')).join(',\n    ')}
  FROM event e WHERE ${NEWEST};
INSERT OR IGNORE INTO event_tag
  SELECT v.n, e.seq FROM event e, json_each(e.gathered, '$[1]') t
  JOIN facet_value v ON v.tenant = e.tenant AND v.kind = 6 AND v.value = t.value WHERE ${NEWEST};
CREATE INDEX event_facet_host ON event_facet (host) WHERE host IS NOT NULL;
CREATE INDEX event_facet_service ON event_facet (service) WHERE service IS NOT NULL;
CREATE INDEX event_facet_environment ON event_facet (environment) WHERE environment IS NOT NULL;
CREATE INDEX event_facet_assignee ON event_facet (assignee) WHERE assignee IS NOT NULL;
DROP INDEX event_status;
CREATE INDEX event_status ON event (tenant, status, timestamp, severity);
`,
};
