import type { TenantContext } from '#application/access/context.ts';
import { type FoundEnd, findEnds } from '#application/cmdb/find-ends.ts';
import { itemAt } from '#domain/assert.ts';
import type { Ends } from '#domain/ports/topology/topology-queries.ts';
import { type Planned, planRelationship } from '#domain/topology/import.ts';
import { type Relationship, relationshipType } from '#domain/topology/topology.ts';
import { isWrittenBySource, writtenBySource } from '#features/topology-sources/rules/source.ts';
import type { SaidEntry, WantedEdge, WantedEnd } from '#features/topology-sources/rules/wanted.ts';
import type { Planner, Printed } from './planner.ts';

const endsOf = ({ line, source, target }: WantedEdge, find: (end: WantedEnd) => FoundEnd): Ends | string => {
  const [one, other] = [find(source), find(target)];
  if ('error' in one) return `source_ci: ${one.error}`;
  if ('error' in other) return `target_ci: ${other.error}`;
  return { source: one.id, target: other.id, type: relationshipType(line.type) };
};
const endsKey = ({ source, target, type }: Ends): string => `${source} ${target} ${type}`;

/** Returns the index of the first relationship with the same ends and type, for each. */
const sharing = <W>(wanted: readonly W[], ends: readonly (Ends | string)[]): number[] => {
  const first = new Map<string, number>();
  return wanted.map((_, index) => {
    const one = itemAt(ends, index);
    if (typeof one === 'string') return index;
    const key = endsKey(one);
    const known = first.get(key) ?? index;
    first.set(key, known);
    return known;
  });
};

/** True if the relationship existed before any source reported it. */
const isForeign = (plan: Planned<Relationship>): boolean =>
  plan.action !== 'failed' &&
  plan.action !== 'created' &&
  !isWrittenBySource((plan.action === 'updated' ? plan.before : plan.record).discoveredBy);

export interface EdgePlanning {
  readonly source: string;
  /** ms. */
  readonly at: number;
  /** Finds the ID of a CI that the source reported itself. */
  readonly idOf: (end: string) => string | undefined;
}

export const edgePlanner = (
  context: TenantContext,
  { source, at, idOf }: EdgePlanning,
): Planner<Printed<WantedEdge>, Relationship> => {
  const { ports, tenant } = context;
  return {
    shelf: 'edge',
    async plan(wanted) {
      const isOther = ({ text }: WantedEnd): boolean => idOf(text) === undefined;
      const others = await findEnds(context, wanted.flatMap((edge) => [edge.source, edge.target]).filter(isOther));
      const find = (end: WantedEnd): FoundEnd => {
        const id = idOf(end.text);
        return id === undefined ? others(end) : { id };
      };
      const ends = wanted.map((edge) => endsOf(edge, find));
      const known = await ports.topology.relationshipsBetween(
        tenant,
        ends.filter((one) => typeof one !== 'string'),
      );
      const shared = sharing(wanted, ends);
      const plans: Planned<Relationship>[] = [];
      let next = 0;
      const by = writtenBySource(source);
      for (const [index, { line }] of wanted.entries()) {
        const one = itemAt(ends, index);
        const before = typeof one === 'string' ? null : (known[next++] ?? null);
        const first = itemAt(shared, index);
        if (typeof one === 'string') plans.push({ action: 'failed', error: one });
        else if (first !== index) plans.push(sameAs(itemAt(plans, first)));
        else plans.push(planRelationship(line, one, before, { tenant, newId: ports.ids.ulid(), at, by }));
      }
      return plans;
    },
    put: (edges) => ports.relationships.put(tenant, edges),
    met: async () => {},
    entryOf({ key, print }, plan, known): SaidEntry | null {
      if (plan.action === 'failed') return null;
      const isKept = known?.isKept === true || isForeign(plan);
      return { key, id: plan.record.id, print, isKept, missingSince: null };
    },
  };
};

const sameAs = (plan: Planned<Relationship>): Planned<Relationship> =>
  plan.action === 'failed' ? plan : { action: 'unchanged', record: plan.record };
