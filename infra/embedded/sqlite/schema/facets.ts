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

/** The numbers of an event's values, with what else is needed to count it without reading it. Flags: 1 in a group, 2 bound to a CI, 4 usual. */
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

export const FACETS = [VALUES, EVENT_FACET].join('');
