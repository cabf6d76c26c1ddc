import type { CiFilter } from '#domain/ports/topology/topology-queries.ts';
import type { Ci } from '#domain/topology/topology.ts';
import type { Grouping } from '#features/questions/rules/query.ts';
import type { CiInventoryRead, CiInventoryRow } from '#features/reports/rules/templates/ci-inventory.ts';
import { unitFor } from '#features/reports/rules/templates/said.ts';
import { MOST_DETAILS } from '#features/reports/rules/templates/template.ts';
import { ask, counted, largest, type ReportReading, resolvedFilter, walk } from './reading.ts';

const STALE_MS = 30 * 86_400_000;

const environmentOf = ({ customFields, attributes }: Ci): string | null => {
  const said = customFields.environment ?? attributes.environment;
  return typeof said === 'string' && said !== '' ? said : null;
};

/** CIs with what else is known of them, by name. */
async function readRows(reading: ReportReading): Promise<CiInventoryRow[]> {
  const { tenant, ports, receivedAt } = reading.asking;
  const { ciTypes } = await resolvedFilter(reading);
  const filter: CiFilter = ciTypes === null ? {} : { types: ciTypes };
  const services = await ports.memory.services.of(tenant, receivedAt);
  const rowsOf = async (cis: readonly Ci[]): Promise<CiInventoryRow[]> => {
    const ids = cis.map(({ id }) => id);
    const [seen, relationships] = await Promise.all([
      ports.topology.lastSeen(tenant, ids),
      ports.counts.relationships(tenant, ids),
    ]);
    return cis.map((ci) => ({
      id: ci.id,
      externalKey: ci.externalKey ?? null,
      name: ci.name,
      type: ci.type,
      status: ci.status,
      environment: environmentOf(ci),
      services: (services.get(ci.id) ?? []).map(({ name }) => name),
      relationships: relationships.get(ci.id) ?? 0,
      lastSeen: seen.get(ci.id) ?? null,
      createdAt: ci.createdAt,
      updatedAt: ci.updatedAt,
    }));
  };
  return walk(reading, {
    find: (page) => ports.topology.findCis(tenant, filter, { sort: 'name', order: 'asc', ...page }),
    rows: rowsOf,
    most: MOST_DETAILS,
  });
}

export async function readCiInventory(reading: ReportReading): Promise<CiInventoryRead> {
  const { chosen, asking } = reading;
  const unit = unitFor(chosen.range);
  const now = { metric: 'cis', range: null } as const;
  const all = await ask(reading, now);
  const groups = await ask(reading, { ...now, groupBy: (chosen.grouping ?? 'ci_type') as Grouping });
  const statuses = await ask(reading, { ...now, groupBy: 'status' });
  const added = await ask(reading, { metric: 'cis', groupBy: unit === 'hour' ? 'day' : unit });
  return {
    cis: all.total ?? 0,
    groups: largest(groups.rows),
    statuses: counted(statuses.rows),
    added: added.count,
    unit: unit === 'hour' ? 'day' : unit,
    addedOverTime: added.rows.map(({ key, value }) => ({ at: Date.parse(key), values: [value ?? 0] })),
    rows: await readRows(reading),
    staleBefore: asking.receivedAt - STALE_MS,
    at: asking.receivedAt,
  };
}
