import { findService } from '#application/services/service-store.ts';
import { firstItem } from '#domain/assert.ts';
import type { PartRequest } from '#domain/page.ts';
import type { CiFilter } from '#domain/ports/topology/topology-queries.ts';
import { CI_STATUSES, type Ci, type Relationship } from '#domain/topology/topology.ts';
import { zip } from '#domain/zip.ts';
import type { Range } from '#features/ai/rules/time/range.ts';
import { isSameEnvironment } from '#features/questions/rules/grammar/tenant-names.ts';
import {
  countRow,
  type Filters,
  type Grouping,
  given,
  NONE,
  type QueryRow,
  wholeRow,
} from '#features/questions/rules/query.ts';
import type { HealthyService } from '#features/services/schemas/services.ts';
import { assess } from '#features/services/use-cases/assess.ts';
import type { CountedMetric, QueryAsking } from './asking.ts';
import { typesOf } from './fold.ts';
import { tenantNames } from './read-query.ts';
import type { Resolved } from './resolve.ts';
import { countBy, countOverTime, walkNewest } from './walk.ts';

/* Counts of what there is now: CIs, relationships, and services by their health. */

export interface CountInventory {
  readonly filters: Filters;
  readonly resolved: Resolved;
  readonly groupBy: Grouping | null;
  readonly range: Range | null;
}

const timeOf = ({ createdAt }: { readonly createdAt: number }): number => createdAt;
const byName = (cis: readonly { readonly id: string; readonly name: string }[]) =>
  new Map(cis.map(({ id, name }) => [id, name]));
const labelledBy = (rows: readonly QueryRow[], names: ReadonlyMap<string, string>): QueryRow[] =>
  rows.map((row) => ({ ...row, label: names.get(row.key) ?? row.label }));

/** Items by the time of their creation, if that is asked for. */
const overTime = (
  { receivedAt: now, zone }: QueryAsking,
  items: readonly { readonly createdAt: number }[],
  { groupBy, range }: CountInventory,
): QueryRow[] | null =>
  groupBy === 'day' || groupBy === 'week' ? countOverTime(items.map(timeOf), groupBy, { range, now, zone }) : null;

/** Environment by the custom field, else by the attribute. */
const environmentOf = ({ customFields, attributes }: Ci): string | null => {
  const said = customFields.environment ?? attributes.environment;
  return typeof said === 'string' && said !== '' ? said : null;
};

const filterOf = ({ filters: { status: asked, text: search }, resolved }: CountInventory): CiFilter =>
  given({
    types: resolved.ciTypes ?? undefined,
    statuses: asked && CI_STATUSES.filter((status) => asked.includes(status)),
    search,
  });

const meets = ({ filters, resolved, range }: CountInventory) => {
  const named = (filters.ci ?? filters.on) && new Set(resolved.filter.ciIds);
  const parts = filters.service && new Set(resolved.filter.ofService?.ciIds);
  return (ci: Ci): boolean =>
    named?.has(ci.id) !== false &&
    parts?.has(ci.id) !== false &&
    (filters.environment?.some((said) => isSameEnvironment(said, environmentOf(ci) ?? '')) ?? true) &&
    ci.createdAt < (range?.to ?? Infinity);
};

/** The counts of the store; null if CIs must be read. */
async function fromCounts({ tenant, ports }: QueryAsking, asked: CountInventory): Promise<CountedMetric | null> {
  // Conditions that no list of CIs can apply.
  const { ci, on, service, environment } = asked.filters;
  if (asked.range !== null || [ci, on, service, environment].some((one) => one !== undefined)) return null;
  const filter = filterOf(asked);
  const total = async (further: CiFilter): Promise<number> => {
    if (further.types?.length === 0 || further.statuses?.length === 0) return 0;
    return (await ports.topology.findCis(tenant, further, { sort: 'name', order: 'asc', limit: 1 })).total;
  };
  const count = await total(filter);
  const whole = { total: count, count, truncated: false };
  if (asked.groupBy === null) return { ...whole, rows: [wholeRow(count, count)] };
  if (asked.groupBy === 'status') {
    const statuses = filter.statuses ?? CI_STATUSES;
    const counts = await Promise.all(statuses.map((status) => total({ ...filter, statuses: [status] })));
    return { ...whole, rows: zip(statuses, counts).map(([status, n]) => countRow(status, n)) };
  }
  if (asked.groupBy !== 'ci_type' || filter.statuses !== undefined || filter.search !== undefined) return null;
  const { cis } = await ports.counts.types(tenant);
  const rows = cis.filter(({ type }) => filter.types?.includes(type) ?? true);
  return { ...whole, rows: rows.map(({ type, count: n }) => countRow(type, n)) };
}

async function ciRows(asking: QueryAsking, cis: readonly Ci[], asked: CountInventory): Promise<QueryRow[]> {
  const { groupBy } = asked;
  if (groupBy === 'environment') return countBy(cis, (ci) => [environmentOf(ci) ?? NONE]);
  if (groupBy === 'service') {
    const byCi = await asking.ports.memory.services.of(asking.tenant, asking.receivedAt);
    const rows = countBy(cis, ({ id }) => byCi.get(id)?.map((service) => service.id) ?? [NONE]);
    return labelledBy(rows, byName([...byCi.values()].flat()));
  }
  return overTime(asking, cis, asked) ?? countBy(cis, (ci) => [groupBy === 'status' ? ci.status : ci.type]);
}

/** Counts current CIs; with a range, the CIs created in it. */
export async function countCis(asking: QueryAsking, asked: CountInventory): Promise<CountedMetric> {
  const known = await fromCounts(asking, asked);
  if (known !== null) return known;
  const { tenant, ports } = asking;
  const filter = filterOf(asked);
  const isNothing = filter.types?.length === 0 || filter.statuses?.length === 0;
  const find = (page: PartRequest) =>
    ports.topology.findCis(tenant, filter, { sort: 'created_at', order: 'desc', ...page });
  const nothing = { items: [], truncated: false };
  const { items, truncated } = isNothing ? nothing : await walkNewest(find, asked.range?.from ?? 0, timeOf);
  const cis = items.filter(meets(asked));
  const total = cis.length;
  const rows = asked.groupBy === null ? [wholeRow(total, total)] : await ciRows(asking, cis, asked);
  return { rows, total, count: total, truncated: truncated || asked.resolved.truncated };
}

async function relationshipRows(asking: QueryAsking, items: readonly Relationship[], asked: CountInventory) {
  const times = overTime(asking, items, asked);
  if (times !== null) return times;
  const ends = [...new Set(items.flatMap(({ source, target }) => [source, target]))];
  if (asked.groupBy === 'ci_type') {
    const types = await typesOf(asking, ends);
    return countBy(items, ({ source, target }) => [source, target].flatMap((end) => types.get(end) ?? []));
  }
  const rows = countBy(items, ({ source, target }) => [source, target]);
  return labelledBy(rows, byName(await asking.ports.topology.getCis(asking.tenant, ends)));
}

/** Counts current relationships; with a range, the ones created in it. A CI counts both directions. */
export async function countRelationships(asking: QueryAsking, asked: CountInventory): Promise<CountedMetric> {
  const { groupBy, range, resolved, filters } = asked;
  // CIs of which one must be an end.
  const { ciIds, ofService } = resolved.filter;
  const named = filters.service === undefined ? ciIds : (ofService?.ciIds ?? []);
  const ends = named && new Set(named);
  const filter = { includeAi: false, ...(ends?.size === 1 && { ci: firstItem([...ends]) }) };
  const find = (page: PartRequest) =>
    asking.ports.topology.findRelationships(asking.tenant, filter, { sort: 'created_at', order: 'desc', ...page });
  if (groupBy === null && range === null && (ends === undefined || ends.size === 1)) {
    const { total } = await find({ limit: 1 });
    return { rows: [wholeRow(total, total)], total, count: total, truncated: false };
  }
  const walked = await walkNewest(find, range?.from ?? 0, timeOf);
  const items = walked.items.filter(
    ({ source, target, createdAt }) =>
      createdAt < (range?.to ?? Infinity) && (ends === undefined || ends.has(source) || ends.has(target)),
  );
  const total = items.length;
  const rows = groupBy === null ? [wholeRow(total, total)] : await relationshipRows(asking, items, asked);
  return { rows, total, count: total, truncated: walked.truncated || resolved.truncated };
}

/** Services whose health is worked out for one answer, in the order of their names. */
const MOST = 200;

const healthRow = ({ service: { id, name, components }, health }: HealthyService): QueryRow => {
  return { key: id, label: name, value: health.score, count: components.length };
};

/** Scores of services as they are now, 0 to 100; of those without components none is known. */
export async function readHealth(
  asking: QueryAsking,
  { filters, resolved, groupBy }: CountInventory,
): Promise<CountedMetric> {
  const { tenant, ports } = asking;
  const { services } = await tenantNames(asking);
  const named = services.filter(({ id }) => resolved.services?.includes(id) ?? true);
  const chosen = named.toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, MOST);
  const stored = await Promise.all(chosen.map(({ id }) => findService(ports.records, tenant, id)));
  const bodies = stored.map(({ body }) => body);
  const assessed = (await assess(ports, tenant, bodies)).filter(
    ({ health }) => health.status !== 'unknown' && (filters.status?.includes(health.status) ?? true),
  );
  const count = assessed.length;
  const total = count === 0 ? null : assessed.reduce((sum, { health }) => sum + health.score, 0) / count;
  const rows =
    groupBy === null
      ? [wholeRow(total, count)]
      : groupBy === 'service'
        ? assessed.map(healthRow)
        : countBy(assessed, ({ health }) => [health.status]);
  return { rows, total, count, truncated: named.length > MOST };
}
