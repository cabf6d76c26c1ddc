import { requirePermission } from '#application/access/require-permission.ts';
import { servicesHit } from '#application/services/services-hit.ts';
import { invalid } from '#domain/fault.ts';
import { firstItem, itemAt, known } from '#domain/known.ts';
import type { OpenCounts } from '#domain/services/health.ts';
import { changedFields } from '#domain/topology/ci-diff.ts';
import { CAUSE_TYPES, type Ci, type Impact } from '#domain/topology/topology.ts';
import type { Named } from '#features/questions/rules/chat/reading.ts';
import type { CiDetailsRow, NearRow, ToolParams } from '#features/questions/rules/chat/tools.ts';
import { iso } from '#schemas/http/time.ts';
import type { ChatAsking } from './context.ts';
import { ciRow } from './search-cis.ts';
import { ciOf, type ToolResult } from './tool-result.ts';

const MAX_IMPACT = 10_000;
const MAX_NEAR = 50;
const SHOWN_NEAR = 10;
const MAX_SERVICES = 20;
const MAX_ATTRIBUTES = 20;
const MAX_VALUE = 300;
const CHANGES = 5;
const MAX_FIELDS = 10;

const near = async ({ tenant, ports }: ChatAsking, ci: string, direction: 'up' | 'down'): Promise<Named[]> => {
  const options = { hops: 1, direction, types: CAUSE_TYPES, limit: MAX_NEAR } as const;
  const { nodes } = await ports.graph.neighbourhood(tenant, ci, options);
  return nodes.map((node) => ({ id: node.ci, name: node.name, type: node.type }));
};

const sumOf = (counts: OpenCounts | undefined): number => Object.values(counts ?? {}).reduce((sum, n) => sum + n, 0);

/** Null for a caller who may not read events. */
const openOn = async ({ tenant, ports, caller }: ChatAsking, ids: readonly string[]) =>
  caller.permissions.has('events.read') ? ports.eventCounts.openOn(tenant, ids) : null;

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
const attributesOf = ({ attributes }: Ci): CiDetailsRow['attributes'] =>
  Object.fromEntries(
    Object.entries(attributes)
      .flatMap(([name, value]) =>
        isPlain(value) ? [[name, typeof value === 'string' ? value.slice(0, MAX_VALUE) : value] as const] : [],
      )
      .slice(0, MAX_ATTRIBUTES),
  );

const servicesOf = async (asking: ChatAsking, ci: Ci, { impacted }: Impact): Promise<CiDetailsRow['services']> => {
  if (!asking.caller.permissions.has('services.read')) return [];
  const hits = await servicesHit(asking, new Set([ci.id, ...impacted.map((one) => one.ci)]));
  return hits
    .slice(0, MAX_SERVICES)
    .map(({ service: { id, name, criticality }, impact }) => ({ serviceId: id, name, criticality, impact }));
};

const changesOf = async ({ tenant, ports }: ChatAsking, ci: Ci): Promise<CiDetailsRow['changes']> => {
  const { items } = await ports.history.changes(tenant, ci.id, { limit: CHANGES });
  return items.map(({ at, before, after }) => {
    const fields = before === null || after === null ? [] : changedFields(before, after).map(({ field }) => field);
    const what = before === null ? ['created'] : after === null ? ['removed'] : fields.slice(0, MAX_FIELDS);
    return { at: iso(at), fields: what };
  });
};

/** One CI: what is open on it, what it needs, what fails with it, what changed. Throws Fault `invalid` when there is none. */
export async function getCiDetails(
  asking: ChatAsking,
  { ciId }: ToolParams['get-ci-details'],
): Promise<ToolResult<'get-ci-details'>> {
  requirePermission(asking, 'cmdb.read');
  const { tenant, ports } = asking;
  const meant = known(await ciOf(asking, 'ciId', ciId), 'CI');
  const [ci] = await ports.topology.getCis(tenant, [meant.id]);
  if (ci === undefined) throw invalid('ciId', 'no CI has this id');
  const [needs, dependents, impact, changes, seen] = await Promise.all([
    near(asking, ci.id, 'up'),
    near(asking, ci.id, 'down'),
    ports.graph.impact(tenant, [ci.id], { limit: MAX_IMPACT }),
    changesOf(asking, ci),
    ports.topology.lastSeen(tenant, [ci.id]),
  ]);
  const shown = [needs, dependents].map((cis) => cis.slice(0, SHOWN_NEAR));
  const [open, services] = await Promise.all([
    openOn(asking, [ci.id, ...shown.flat().map(({ id }) => id)]),
    servicesOf(asking, ci, impact),
  ]);
  const nearRow = ({ id, name, type }: Named): NearRow => ({
    ciId: id,
    name,
    type,
    openEvents: open && sumOf(open.get(id)),
  });
  const lastSeen = seen.get(ci.id);
  const row: CiDetailsRow = {
    ...ciRow(ci),
    attributes: attributesOf(ci),
    lastSeen: lastSeen === undefined ? null : iso(lastSeen),
    openEvents: open && sumOf(open.get(ci.id)),
    openBySeverity: open && (open.get(ci.id) ?? {}),
    dependsOn: { total: needs.length, nearest: firstItem(shown).map(nearRow) },
    dependents: { total: dependents.length, nearest: itemAt(shown, 1).map(nearRow) },
    impact: {
      total: impact.impacted.length,
      truncated: impact.truncated,
      nearest: impact.impacted.slice(0, SHOWN_NEAR).map(({ ci: id, name, type }) => ({ ciId: id, name, type })),
    },
    services,
    changes,
  };
  return { rows: [row], total: 1 };
}
