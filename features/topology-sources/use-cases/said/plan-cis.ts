import type { TenantContext } from '#application/access/context.ts';
import { resolveCis } from '#application/cmdb/resolve-cis.ts';
import { firstItem, itemAt } from '#domain/assert.ts';
import { type CiLine, type Planned, planCi } from '#domain/topology/import.ts';
import { nameKey } from '#domain/topology/lookup.ts';
import { NO_KEYS } from '#domain/topology/match.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { zip } from '#domain/zip.ts';
import { isWrittenBySource, writtenBySource } from '#features/topology-sources/rules/source.ts';
import type { SaidEntry, WantedCi } from '#features/topology-sources/rules/wanted.ts';
import type { Planner, Printed } from './planner.ts';

/** Activates a CI that a source ended and now reports again. */
const revived = (line: CiLine, [only, ...others]: readonly Ci[]): CiLine =>
  only !== undefined &&
  others.length === 0 &&
  only.status === 'inactive' &&
  line.status === undefined &&
  isWrittenBySource(only.updatedBy)
    ? { ...line, status: 'active' }
    : line;

/** True if only topology sources created and changed the CI. */
export const isOfSources = ({ createdBy, updatedBy }: Pick<Ci, 'createdBy' | 'updatedBy'>): boolean =>
  isWrittenBySource(createdBy) && isWrittenBySource(updatedBy);

/** Matches machines by name if no CI has their key and exactly one CI has the name. Returns CIs by index. */
async function byName(
  { ports, tenant }: TenantContext,
  wanted: readonly WantedCi[],
  meant: readonly (readonly Ci[])[],
): Promise<ReadonlyMap<number, Ci>> {
  const indexes = wanted.flatMap(({ isMachine }, index) => (isMachine && meant[index]?.length === 0 ? [index] : []));
  if (indexes.length === 0) return new Map();
  const names = indexes.map((index) => ({ ...NO_KEYS, fqdn: [nameKey(itemAt(wanted, index).line.name ?? '')] }));
  const matched = await ports.matcher.match(tenant, names);
  const only = zip(indexes, matched).flatMap(([index, { fqdn }]) =>
    fqdn.length === 1 ? [[index, firstItem(fqdn)] as const] : [],
  );
  const cis = await ports.topology.getCis(tenant, [...new Set(only.map(([, id]) => id))]);
  const byId = new Map(cis.map((ci) => [ci.id, ci]));
  return new Map(
    only.flatMap(([index, id]) => {
      const ci = byId.get(id);
      return ci === undefined || ci.status === 'inactive' ? [] : [[index, ci] as const];
    }),
  );
}

const beforeOf = (plan: Planned<Ci>): Ci | null => {
  if (plan.action === 'updated') return plan.before;
  return plan.action === 'unchanged' ? plan.record : null;
};

export const ciPlanner = (context: TenantContext, source: string, at: number): Planner<Printed<WantedCi>, Ci> => {
  const { ports, tenant } = context;
  return {
    shelf: 'ci',
    async plan(wanted) {
      const meant = await resolveCis(
        context,
        wanted.map(({ line }) => line),
      );
      const by = writtenBySource(source);
      const named = await byName(context, wanted, meant);
      return wanted.map(({ line }, index): Planned<Ci> => {
        const found = itemAt(meant, index);
        const machine = named.get(index);
        if (machine !== undefined) return { action: 'unchanged', record: machine };
        return planCi(revived(line, found), found, { tenant, newId: ports.ids.ulid(), at, by });
      });
    },
    put: (cis) => ports.cis.put(tenant, cis),
    met: (cis) =>
      ports.cis.seen(
        tenant,
        cis.map(({ id }) => ({ ci: id, at })),
      ),
    entryOf({ key, print }, plan, known): SaidEntry | null {
      if (plan.action === 'failed') return null;
      const before = beforeOf(plan);
      const isKept = known?.isKept === true || (before !== null && !isOfSources(before));
      return { key, id: plan.record.id, print, isKept, missingSince: null };
    },
  };
};
