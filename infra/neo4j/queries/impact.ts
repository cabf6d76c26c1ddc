/** The impact of some CIs: the server reads their dependants, one round after the other, and the rule of the domain decides. */
import { notFound } from '#domain/fault.ts';
import type { ImpactOptions } from '#domain/ports/topology/graph-queries.ts';
import { type Dependency, impactByRounds, type UnnamedImpact } from '#domain/topology/graph/impact-by-rounds.ts';
import { type Ci, causeTypesOf, type Impact } from '#domain/topology/topology.ts';
import type { Run } from '#infra/neo4j/client/client.ts';
import { readCis } from '#infra/neo4j/client/read.ts';
import { edgeCondition, edgeTypes, stepValues } from './hops.ts';

interface ImpactEdgeRow {
  readonly source: string;
  readonly target: string;
  readonly type: string;
  readonly group: string | null;
  readonly required: number | null;
}

const stepsOf = ({ asOf, types }: ImpactOptions) => ({
  direction: 'down' as const,
  types: causeTypesOf(types),
  ...(asOf !== undefined && { asOf }),
});

/** Returns relationships of these CIs in one direction; those with redundancy only on request. */
async function causes(
  read: Run,
  tenant: string,
  ids: readonly string[],
  options: ImpactOptions,
  end: 'source' | 'target',
): Promise<Dependency[]> {
  const steps = stepsOf(options);
  if (steps.types.length === 0) return [];
  const edge = `-[r:${edgeTypes(steps)}]-`;
  const rows = await read<ImpactEdgeRow>(
    `UNWIND $ids AS id MATCH (c:Ci {tenant: $tenant, id: id})${end === 'target' ? `<${edge}` : `${edge}>`}() WHERE ${edgeCondition(steps)}
     RETURN r.source AS source, r.target AS target, r.type AS type, r.path_group AS group, r.path_required AS required`,
    { tenant, ids, ...stepValues(steps) },
  );
  return rows.map(({ source, target, type, group, required }) => {
    const redundancy = group === null ? null : { group, required: required ?? 1 };
    return { source, target, type, redundancy };
  });
}

/** The dependencies on these CIs, and all paths of the sources among them that have redundancy. */
async function dependencies(read: Run, tenant: string, ids: readonly string[], options: ImpactOptions) {
  const onThem = await causes(read, tenant, ids, options, 'target');
  const saved = new Set(onThem.filter(({ redundancy }) => redundancy !== null).map(({ source }) => source));
  return saved.size === 0 ? onThem : [...onThem, ...(await causes(read, tenant, [...saved], options, 'source'))];
}

async function requireCis(read: Run, tenant: string, ids: readonly string[], asOf: number | undefined): Promise<void> {
  const known = new Set((await readCis(read, tenant, ids, asOf)).map(({ id }) => id));
  const missing = ids.find((id) => !known.has(id));
  if (missing !== undefined) throw notFound('CI', missing);
}

async function spread(
  read: Run,
  tenant: string,
  ciIds: readonly string[],
  options: ImpactOptions,
): Promise<UnnamedImpact> {
  const rounds = impactByRounds(ciIds, options);
  let next = rounds.next();
  while (!next.done) next = rounds.next(await dependencies(read, tenant, next.value, options));
  return next.value;
}

const nameless = { name: '', type: '' };

export async function impact(
  read: Run,
  tenant: string,
  ciIds: readonly string[],
  options: ImpactOptions,
): Promise<Impact> {
  await requireCis(read, tenant, ciIds, options.asOf);
  const { impacted, protected: saved, truncated, partnersDown } = await spread(read, tenant, ciIds, options);
  const ids = [...impacted, ...saved, ...partnersDown].map(({ ci }) => ci);
  const cis = new Map(
    (await readCis(read, tenant, ids, options.asOf)).map(({ id, name, type }) => [id, { name, type }]),
  );
  const named = <T extends { readonly ci: string }>(one: T): T & Pick<Ci, 'name' | 'type'> => ({
    ...one,
    ...(cis.get(one.ci) ?? nameless),
  });
  return {
    impacted: impacted.map(named),
    protected: saved.map(named),
    truncated,
    ...(partnersDown.length > 0 && { partnersDown: partnersDown.map(named) }),
  };
}
