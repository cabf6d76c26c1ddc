import { firstItem } from '#domain/known.ts';
import type { EventFilter } from '#domain/ports/events/event-store.ts';
import type { Reading } from '#infra/embedded/journal/connections.ts';
import { type Sql, sql } from '#infra/embedded/sqlite/sql.ts';
import { hostNumbers } from './hosts.ts';
import { BOUND, type FacetKind, GROUPED, numbersOf, USUAL } from './rows.ts';

/** Conditions on `event_facet f`; `tag` and `nobody` are about `e.seq`. */
export interface FacetConditions {
  readonly host?: Sql;
  readonly service?: Sql;
  readonly environment?: Sql;
  readonly assignee?: Sql;
  /** Assigned to nobody. */
  readonly nobody?: Sql;
  readonly flags?: Sql;
  readonly tag?: Sql;
}

export const hasFacet = ({ host, service, environment, assignee, flags }: FacetConditions): boolean =>
  [host, service, environment, assignee, flags].some((condition) => condition !== undefined);

const oneOf = (column: string, numbers: readonly number[]): Sql =>
  numbers.length === 1
    ? sql(`${column} = ?`, firstItem(numbers))
    : sql(`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(numbers));

/** Few events are assigned, so that those are looked up. */
const NOBODY = `e.seq NOT IN (SELECT a.seq FROM facet_value v CROSS JOIN event_facet a INDEXED BY event_facet_assignee ON a.assignee = v.n
  WHERE v.tenant = ? AND v.kind = 5)`;
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

export function facetConditions(reading: Reading, tenant: string, filter: EventFilter): FacetConditions {
  const { hosts, services, environments, tags, assignee } = filter;
  const numbers = (kind: FacetKind, values: readonly string[]): number[] => numbersOf(reading, tenant, kind, values);
  const flags = flagsOf(filter);
  return {
    ...(hosts && { host: oneOf('f.host', hostNumbers(reading, tenant, hosts)) }),
    ...(services && { service: oneOf('f.service', numbers('service', services)) }),
    ...(environments && { environment: oneOf('f.environment', numbers('environment', environments)) }),
    ...(typeof assignee === 'string' && { assignee: oneOf('f.assignee', numbers('assignee', [assignee])) }),
    ...(assignee === null && { nobody: sql(NOBODY, tenant) }),
    ...(flags && { flags }),
    ...(tags && { tag: sql(TAGGED, JSON.stringify(numbers('tag', tags))) }),
  };
}
