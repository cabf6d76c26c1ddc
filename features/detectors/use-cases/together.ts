import { refusedAnywhere } from '#application/cmdb/refusals.ts';
import { DEPENDENCY_TYPES, redundancyOf } from '#domain/topology/topology.ts';
import type { NamedCi } from '#features/ai/rules/findings.ts';
import { detectDoubtful, type NamedEdge } from '#features/detectors/rules/doubtful-relationship.ts';
import { detectFailsAfter, type UnrelatedPair } from '#features/detectors/rules/fails-after.ts';
import { doubtfulEdges, failedOften, LEAST_CHANCES } from '#features/detectors/rules/together/doubtful.ts';
import { type LoadedFailures, loadFailures } from '#features/detectors/use-cases/beside/load-failures.ts';
import { SPAN_DAYS } from '#features/detectors/use-cases/beside/newest-groups.ts';
import { unrelatedPairs } from '#features/detectors/use-cases/beside/unrelated-pairs.ts';
import type { DetectorAsking, DetectorReading } from './asking.ts';

/** CIs whose relationships are looked at, those that failed most. */
const MOST_FAILED = 50;
const EDGES = 50;

/** Pairs that are not proposed already. */
async function seeUnrelated(asking: DetectorAsking, loaded: LoadedFailures): Promise<UnrelatedPair[]> {
  const { tenant, ports } = asking;
  const pairs = await unrelatedPairs(asking, loaded, await refusedAnywhere(ports, tenant));
  const ends = pairs.map(({ first, second }) => ({ source: second.id, target: first.id, type: 'depends_on' }));
  const proposed = await ports.topology.relationshipsBetween(tenant, ends);
  return pairs.filter((_, i) => proposed[i] === null);
}

/** Relationships of the CIs that failed most, that no failure went along. */
async function seeDoubtful({ tenant, ports }: DetectorAsking, { failures }: LoadedFailures) {
  const failed = [...failedOften(failures)].filter(([, count]) => count >= LEAST_CHANCES);
  const most = failed.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, MOST_FAILED);
  const page = { sort: 'created_at', order: 'asc', limit: EDGES } as const;
  const found = await Promise.all(
    most.map(([target]) => ports.topology.findRelationships(tenant, { target, includeAi: false }, page)),
  );
  const edges = found
    .flatMap(({ items }) => items)
    .filter((edge) => (DEPENDENCY_TYPES as readonly string[]).includes(edge.type) && redundancyOf(edge) === null);
  const cis = await ports.topology.getCis(tenant, [
    ...new Set(edges.flatMap(({ source, target }) => [source, target])),
  ]);
  const byId = new Map(cis.map(({ id, name, type }): [string, NamedCi] => [id, { id, name, type }]));
  const named = edges.flatMap(({ id, source, target, type }): NamedEdge[] => {
    const [from, to] = [byId.get(source), byId.get(target)];
    return from && to ? [{ id, source, target, type, from, to }] : [];
  });
  return doubtfulEdges(named, failures);
}

/** Of incidents: relationships that they teach, and those that they cast doubt on. */
export const togetherReading: DetectorReading = {
  kinds: ['missing-relationship', 'doubtful-relationship'],
  async detect(asking, isWanted) {
    const loaded = await loadFailures(asking);
    const [pairs, doubtful] = await Promise.all([
      isWanted('missing-relationship') ? seeUnrelated(asking, loaded) : [],
      isWanted('doubtful-relationship') ? seeDoubtful(asking, loaded) : [],
    ]);
    const asked = asking.ciIds;
    const isAsked = (ciIds: readonly string[]): boolean => asked === null || ciIds.some((id) => asked.includes(id));
    const findings = [...detectFailsAfter(pairs), ...detectDoubtful(doubtful, SPAN_DAYS)];
    return {
      findings: findings.filter(({ ciIds }) => isAsked(ciIds)),
      looked: [{ what: 'incidents', read: loaded.failures.incidents.length, truncated: loaded.truncated }],
    };
  },
};
