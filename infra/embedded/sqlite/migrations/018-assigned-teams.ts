import type { Migration } from './migration.ts';

const TEAM = `json_extract(state, '$.assignedTeam.id')`;
/** As of the other facets: an older file is opened within seconds. */
const NEWEST = 'seq > (SELECT max(seq) FROM event) - 200000';

/** The team of an event, so that events are found by it; `facet_value` has it as kind 7. */
export const assignedTeams: Migration = {
  id: 18,
  name: 'assigned teams',
  sql: `
ALTER TABLE event_facet ADD COLUMN team INTEGER;
INSERT INTO facet_value (tenant, kind, value) SELECT DISTINCT tenant, 7, ${TEAM} FROM event WHERE ${NEWEST} AND ${TEAM} <> '';
UPDATE event_facet SET team = (
    SELECT v.n FROM event e JOIN facet_value v ON v.tenant = e.tenant AND v.kind = 7 AND v.value = ${TEAM}
    WHERE e.seq = event_facet.seq)
  WHERE seq IN (SELECT seq FROM event WHERE ${NEWEST} AND ${TEAM} IS NOT NULL);
CREATE INDEX event_facet_team ON event_facet (team) WHERE team IS NOT NULL;
`,
};
