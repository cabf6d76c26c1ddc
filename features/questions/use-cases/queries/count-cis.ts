import type { PartRequest } from '#domain/page.ts';
import type { CiFilter } from '#domain/ports/topology/topology-queries.ts';
import { CI_STATUSES, type Ci } from '#domain/topology/topology.ts';
import { zip } from '#domain/zip.ts';
import type { Range } from '#features/ai/rules/time/range.ts';
import { isSameEnvironment } from '#features/questions/rules/grammar/tenant-names.ts';
import type { Filters, Grouping } from '#features/questions/rules/query.ts';
import { countRow, NONE, wholeRow } from '#features/questions/rules/result.ts';
import type { CountedMetric, QueryAsking } from './asking.ts';
import type { Resolved } from './resolve.ts';
import { countBy, countOverTime, walkNewest } from './walk.ts';

export interface CountInventory {
  readonly filters: Filters;
  readonly resolved: Resolved;
  readonly groupBy: Grouping | null;
  readonly range: Range | null;
}

/** Environment by the custom field, else by the attribute. */
const environmentOf = ({ customFields, attributes }: Ci): string | null => {
  const said = customFields.environment ?? attributes.environment;
  return typeof said === 'string' && said !== '' ? said : null;
};

const filterOf = ({ filters: { status: asked, text }, resolved }: CountInventory): CiFilter => ({
  ...(resolved.ciTypes && { types: resolved.ciTypes }),
  ...(asked && { statuses: CI_STATUSES.filter((status) => asked.includes(status)) }),
  ...(text !== undefined && { search: text }),
});

/** Conditions that no list of CIs can apply. */
const isNarrowed = ({ filters, range }: CountInventory): boolean =>
  filters.ci !== undefined ||
  filters.on !== undefined ||
  filters.service !== undefined ||
  filters.environment !== undefined ||
  range !== null;

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
  if (isNarrowed(asked)) return null;
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

async function rowsBy(asking: QueryAsking, cis: readonly Ci[], { groupBy, range }: CountInventory) {
  const { tenant, ports, receivedAt, zone } = asking;
  switch (groupBy) {
    case 'day':
    case 'week':
      return countOverTime(
        cis.map(({ createdAt }) => createdAt),
        groupBy,
        { range, now: receivedAt, zone },
      );
    case 'environment':
      return countBy(cis, (ci) => [environmentOf(ci) ?? NONE]);
    case 'service': {
      const byCi = await ports.memory.services.of(tenant, receivedAt);
      const named = new Map([...byCi.values()].flat().map(({ id, name }) => [id, name]));
      const rows = countBy(cis, ({ id }) => byCi.get(id)?.map((service) => service.id) ?? [NONE]);
      return rows.map((row) => ({ ...row, label: named.get(row.key) ?? row.label }));
    }
    default:
      return countBy(cis, (ci) => [groupBy === 'status' ? ci.status : ci.type]);
  }
}

const timeOf = ({ createdAt }: Ci): number => createdAt;

/** Counts current CIs; with a range, the CIs created in it. */
export async function countCis(asking: QueryAsking, asked: CountInventory): Promise<CountedMetric> {
  const counted = await fromCounts(asking, asked);
  if (counted !== null) return counted;
  const { tenant, ports } = asking;
  const { groupBy, range, resolved } = asked;
  const filter = filterOf(asked);
  const isNothing = filter.types?.length === 0 || filter.statuses?.length === 0;
  const find = (page: PartRequest) =>
    ports.topology.findCis(tenant, filter, { sort: 'created_at', order: 'desc', ...page });
  const walked = isNothing ? { items: [], truncated: false } : await walkNewest(find, range?.from ?? 0, timeOf);
  const cis = walked.items.filter(meets(asked));
  const rows = groupBy === null ? [wholeRow(cis.length, cis.length)] : await rowsBy(asking, cis, asked);
  return { rows, total: cis.length, count: cis.length, truncated: walked.truncated || resolved.truncated };
}
