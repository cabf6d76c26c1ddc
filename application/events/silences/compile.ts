import type { CompiledSilence, CompiledSilences, MaintainedAbove } from '#domain/event/silences/judge.ts';
import { compileMatcher, openTitleWords } from '#domain/event/silences/matcher.ts';
import { holding } from '#domain/event/silences/recurrence.ts';
import type { SilenceRule } from '#domain/event/silences/silence-rule.ts';
import { Fault } from '#domain/fault.ts';
import type { SilencePorts } from '#domain/ports/memory.ts';
import { maintainedUntil } from '#domain/topology/maintenance.ts';

/** CIs that one silence reaches at most, the nearest first. */
const MAX_BELOW = 100_000;
/** CIs in maintenance whose reach is followed. */
const MAX_REACHING = 200;

type Topology = Pick<SilencePorts, 'graph' | 'matcher' | 'topology'>;

/** The CI that has this id, or had it before it was merged. */
async function resolveCi({ matcher }: Pick<Topology, 'matcher'>, tenant: string, id: string): Promise<string> {
  const [binding] = await matcher.bind(tenant, [{ ciId: id }]);
  return binding?.ci?.id ?? id;
}

/** Returns the CI and its current impact; itself alone when it is gone. */
async function reachOf({ graph }: Topology, tenant: string, id: string): Promise<ReadonlySet<string>> {
  try {
    const { impacted } = await graph.impact(tenant, [id], { limit: MAX_BELOW });
    return new Set([id, ...impacted.map(({ ci }) => ci)]);
  } catch (error) {
    if (error instanceof Fault && error.kind === 'not-found') return new Set([id]);
    throw error;
  }
}

const namesCis = ({ matcher: { ciId, below } }: SilenceRule): boolean => ciId !== undefined || below !== undefined;

/** Recomputed after every change of the topology: all else of a silence stays unchanged. */
export interface Reaches {
  readonly ciIds: ReadonlyMap<string, string>;
  readonly below: ReadonlyMap<string, ReadonlySet<string>>;
  readonly maintained: readonly MaintainedAbove[];
  /** Start of the next window, which extends the reach; ms. */
  readonly validUntil: number;
}

interface ReachQuery {
  readonly tenant: string;
  readonly rules: readonly SilenceRule[];
  readonly maintenanceBelow: boolean;
  /** ms. */
  readonly now: number;
}

async function maintainedNow(topology: Topology, { tenant, maintenanceBelow, now }: ReachQuery) {
  const all = maintenanceBelow ? await topology.topology.inMaintenance(tenant) : [];
  const current = all.filter(({ maintenance }) => maintainedUntil(maintenance, now) !== null).slice(0, MAX_REACHING);
  const maintained: MaintainedAbove[] = [];
  for (const { ciId, maintenance } of current) {
    const below = await reachOf(topology, tenant, ciId);
    maintained.push({ ciId, below, untilAt: (at) => maintainedUntil(maintenance, at) });
  }
  const starts = all.map(({ maintenance: { window } }) => window?.from ?? 0).filter((from) => from > now);
  return { maintained, validUntil: Math.min(Number.POSITIVE_INFINITY, ...starts) };
}

/** Follows the relationships: a few walks per silence that includes CIs below another. */
export async function findReaches(topology: Topology, asked: ReachQuery): Promise<Reaches> {
  const { tenant, rules } = asked;
  const ciIds = new Map<string, string>();
  const below = new Map<string, ReadonlySet<string>>();
  for (const { id, matcher } of rules.filter(namesCis)) {
    if (matcher.ciId !== undefined) ciIds.set(id, await resolveCi(topology, tenant, matcher.ciId));
    if (matcher.below !== undefined)
      below.set(id, await reachOf(topology, tenant, await resolveCi(topology, tenant, matcher.below)));
  }
  return { ciIds, below, ...(await maintainedNow(topology, asked)) };
}

export const needsTopology = ({ rules, maintenanceBelow }: Pick<ReachQuery, 'rules' | 'maintenanceBelow'>): boolean =>
  maintenanceBelow || rules.some(namesCis);

/** Compiles the rules to tests: per event only the currently active ones must run. */
export function compileSilences(rules: readonly SilenceRule[], reaches: Reaches): CompiledSilences {
  const wordsIn = openTitleWords();
  const silences = rules.map((rule): CompiledSilence => {
    const meant = { ciId: reaches.ciIds.get(rule.id), below: reaches.below.get(rule.id) };
    return { rule, holdsUntil: holding(rule), test: compileMatcher(rule.matcher, meant, wordsIn) };
  });
  return { silences, maintained: reaches.maintained };
}
