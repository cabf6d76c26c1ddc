import { findService } from '#application/services/service-store.ts';
import { type QueryRow, wholeRow } from '#features/questions/rules/result.ts';
import type { Assessed } from '#features/services/schemas/services.ts';
import { assess } from '#features/services/use-cases/assess.ts';
import type { CountedMetric, QueryAsking } from './asking.ts';
import type { CountInventory } from './count-cis.ts';
import { tenantNames } from './tenant-names.ts';
import { countBy } from './walk.ts';

/** Services whose health is worked out for one answer, in the order of their names. */
const MOST = 200;

const mean = (services: readonly Assessed[]): number | null =>
  services.length === 0 ? null : services.reduce((sum, { health }) => sum + health.score, 0) / services.length;

const rowOf = ({ service, health }: Assessed): QueryRow => ({
  key: service.id,
  label: service.name,
  value: health.score,
  count: service.components.length,
});

/** Scores of services as they are now, 0 to 100; of those without components none is known. */
export async function readHealth(
  asking: QueryAsking,
  { filters, resolved, groupBy }: CountInventory,
): Promise<CountedMetric> {
  const { tenant, ports } = asking;
  const { services } = await tenantNames(asking);
  const { services: asked } = resolved;
  const named = asked === null ? services : services.filter(({ id }) => asked.includes(id));
  const chosen = [...named].sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, MOST);
  const stored = await Promise.all(chosen.map(({ id }) => findService(ports.records, tenant, id)));
  const assessed = (await assess(ports, tenant, stored)).filter(
    ({ health }) => health.status !== 'unknown' && (filters.status?.includes(health.status) ?? true),
  );
  const total = mean(assessed);
  const count = assessed.length;
  const truncated = named.length > MOST;
  if (groupBy === null) return { rows: [wholeRow(total, count)], total, count, truncated };
  if (groupBy === 'service') return { rows: assessed.map(rowOf), total, count, truncated };
  return { rows: countBy(assessed, ({ health }) => [health.status]), total, count, truncated };
}
