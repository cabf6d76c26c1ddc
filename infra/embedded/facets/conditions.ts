import { firstItem } from '#domain/assert.ts';
import type { EventFilter } from '#domain/ports/events/event-store.ts';
import type { RowReader } from '#infra/embedded/redo-log/connections.ts';
import { type Sql, sql } from '#infra/embedded/sqlite/sql.ts';
import { hostNumbers } from './hosts.ts';
import { BOUND, type FacetKind, GROUPED, kindNumber, numbersOf, USUAL } from './rows.ts';

/** Conditions on `event_facet f`; `tag`, `assignee` and `nobody` are about `e.seq`. */
export interface FacetConditions {
  readonly host?: Sql;
  readonly service?: Sql;
  readonly environment?: Sql;
  readonly assignee?: Sql;
  /** Unassigned. */
  readonly nobody?: Sql;
  readonly flags?: Sql;
  readonly tag?: Sql;
}

export const hasFacet = ({ host, service, environment, flags }: FacetConditions): boolean =>
  [host, service, environment, flags].some((condition) => condition !== undefined);

const oneOf = (column: string, numbers: readonly number[]): Sql =>
  numbers.length === 1
    ? sql(`${column} = ?`, firstItem(numbers))
    : sql(`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(numbers));

/** Assigned to users and to teams, by their numbers. */
const ASSIGNED_TO = `e.seq IN (
  SELECT a.seq FROM json_each(?) n CROSS JOIN event_facet a INDEXED BY event_facet_assignee ON a.assignee = n.value
  UNION ALL SELECT a.seq FROM json_each(?) n CROSS JOIN event_facet a INDEXED BY event_facet_team ON a.team = n.value)`;
const assignedOf = (column: 'assignee' | 'team'): string =>
  `SELECT a.seq FROM facet_value v CROSS JOIN event_facet a INDEXED BY event_facet_${column} ON a.${column} = v.n
  WHERE v.tenant = ? AND v.kind = ${kindNumber(column)}`;
/**
 * Assigned events of a tenant, whose parameter is given twice; an event with both occurs twice. Few events are
 * assigned, so those are looked up.
 */
export const ASSIGNED = `${assignedOf('assignee')} UNION ALL ${assignedOf('team')}`;
const NOBODY = `e.seq NOT IN (${ASSIGNED})`;
const TAGGED = 'e.seq IN (SELECT g.seq FROM json_each(?) n CROSS JOIN event_tag g WHERE g.tag = n.value)';

function flagsOf({ grouped, bound, usual }: EventFilter): Sql | undefined {
  const asked = [
    [grouped, GROUPED],
    [bound, BOUND],
    [usual, USUAL],
  ] as const;
  const [mask, wanted] = asked.reduce<readonly [number, number]>(
    ([all, on], [is, bit]) => (is === undefined ? [all, on] : [all | bit, is ? on | bit : on]),
    [0, 0],
  );
  return mask === 0 ? undefined : sql(`f.flags & ${mask} = ${wanted}`);
}

type Numbers = (kind: FacetKind, values: readonly string[]) => readonly number[];
const assignedTo = (numbers: Numbers, ids: readonly string[]): Sql =>
  sql(ASSIGNED_TO, JSON.stringify(numbers('assignee', ids)), JSON.stringify(numbers('team', ids)));

export function facetConditions(reading: RowReader, tenant: string, filter: EventFilter): FacetConditions {
  const { hosts, services, environments, tags, assignee } = filter;
  const numbers: Numbers = (kind, values) => numbersOf(reading, tenant, kind, values);
  const flags = flagsOf(filter);
  return {
    ...(hosts && { host: oneOf('f.host', hostNumbers(reading, tenant, hosts)) }),
    ...(services && { service: oneOf('f.service', numbers('service', services)) }),
    ...(environments && { environment: oneOf('f.environment', numbers('environment', environments)) }),
    ...(assignee != null && { assignee: assignedTo(numbers, [assignee].flat()) }),
    ...(assignee === null && { nobody: sql(NOBODY, tenant, tenant) }),
    ...(flags && { flags }),
    ...(tags && { tag: sql(TAGGED, JSON.stringify(numbers('tag', tags))) }),
  };
}
