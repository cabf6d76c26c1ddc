import { firstItem } from '#domain/assert.ts';
import type { PartRequest } from '#domain/page.ts';
import type { Relationship } from '#domain/topology/topology.ts';
import { type QueryRow, wholeRow } from '#features/questions/rules/result.ts';
import type { CountedMetric, QueryAsking } from './asking.ts';
import type { CountInventory } from './count-cis.ts';
import { typesOf } from './fold.ts';
import { countBy, countOverTime, walkNewest } from './walk.ts';

/** The CIs of which one must be an end; null: none is named. */
const endsOf = ({ filters, resolved }: CountInventory): ReadonlySet<string> | null => {
  if (filters.service !== undefined) return new Set(resolved.filter.ofService?.ciIds);
  return resolved.filter.ciIds === undefined ? null : new Set(resolved.filter.ciIds);
};

const timeOf = ({ createdAt }: Relationship): number => createdAt;

async function rowsBy(
  asking: QueryAsking,
  items: readonly Relationship[],
  { groupBy, range }: CountInventory,
): Promise<QueryRow[]> {
  const { tenant, ports, receivedAt, zone } = asking;
  if (groupBy === 'day' || groupBy === 'week') {
    return countOverTime(items.map(timeOf), groupBy, { range, now: receivedAt, zone });
  }
  const ends = [...new Set(items.flatMap(({ source, target }) => [source, target]))];
  if (groupBy === 'ci_type') {
    const types = await typesOf(asking, ends);
    return countBy(items, ({ source, target }) => [source, target].flatMap((end) => types.get(end) ?? []));
  }
  const rows = countBy(items, ({ source, target }) => [source, target]);
  const names = new Map((await ports.topology.getCis(tenant, ends)).map(({ id, name }) => [id, name]));
  return rows.map((row) => ({ ...row, label: names.get(row.key) ?? row.label }));
}

/** Counts current relationships; with a range, the ones created in it. A CI counts both directions. */
export async function countRelationships(asking: QueryAsking, asked: CountInventory): Promise<CountedMetric> {
  const { tenant, ports } = asking;
  const { groupBy, range, resolved } = asked;
  const ends = endsOf(asked);
  const only = ends?.size === 1 ? { ci: firstItem([...ends]) } : {};
  const filter = { includeAi: false, ...only };
  const find = (page: PartRequest) =>
    ports.topology.findRelationships(tenant, filter, { sort: 'created_at', order: 'desc', ...page });
  if (groupBy === null && range === null && (ends === null || ends.size === 1)) {
    const { total } = await find({ limit: 1 });
    return { rows: [wholeRow(total, total)], total, count: total, truncated: false };
  }
  const walked = await walkNewest(find, range?.from ?? 0, timeOf);
  const items = walked.items.filter(
    ({ source, target, createdAt }) =>
      createdAt < (range?.to ?? Infinity) && (ends === null || ends.has(source) || ends.has(target)),
  );
  const count = items.length;
  const rows = groupBy === null ? [wholeRow(count, count)] : await rowsBy(asking, items, asked);
  return { rows, total: count, count, truncated: walked.truncated || resolved.truncated };
}
