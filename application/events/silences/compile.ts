import type { CompiledSilence, CompiledSilences, MaintainedAbove } from '#domain/event/silences/judge.ts';
import { compileMatcher, openTitleWords } from '#domain/event/silences/matcher.ts';
import { holding } from '#domain/event/silences/recurrence.ts';
import { ownCisOf, type SilenceRule } from '#domain/event/silences/silence-rule.ts';
import { Fault } from '#domain/fault.ts';
import type { SilencePorts } from '#domain/ports/memory.ts';
import { maintainedUntil } from '#domain/topology/maintenance.ts';

/** CIs that one silence reaches at most, the nearest first. */
const MAX_BELOW = 100_000;
/** CIs in maintenance whose reach is followed. */
const MAX_REACHING = 200;

type Topology = Pick<SilencePorts, 'graph' | 'matcher' | 'topology'>;

/** The CIs that have these ids, or had them before they were merged. */
async function resolveCis({ matcher }: Pick<Topology, 'matcher'>, tenant: string, ids: readonly string[]) {
  const asked = ids.map((ciId) => ({ ciId }));
  const bindings = await matcher.bind(tenant, asked);
  return asked.map(({ ciId }, at) => bindings[at]?.ci?.id ?? ciId);
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

const namesCis = ({ matcher }: SilenceRule): boolean => ownCisOf(matcher).length > 0 || matcher.below !== undefined;

/** Recomputed after every change of the topology: all else of a silence stays unchanged. */
export interface Reaches {
  readonly own: ReadonlyMap<string, ReadonlySet<string>>;
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
  const own = new Map<string, ReadonlySet<string>>();
  const below = new Map<string, ReadonlySet<string>>();
  for (const { id, matcher } of rules.filter(namesCis)) {
    const named = ownCisOf(matcher);
    if (named.length > 0) own.set(id, new Set(await resolveCis(topology, tenant, named)));
    for (const ci of await resolveCis(topology, tenant, [matcher.below ?? []].flat()))
      below.set(id, await reachOf(topology, tenant, ci));
  }
  return { own, below, ...(await maintainedNow(topology, asked)) };
}

export const needsTopology = ({ rules, maintenanceBelow }: Pick<ReachQuery, 'rules' | 'maintenanceBelow'>): boolean =>
  maintenanceBelow || rules.some(namesCis);

/** Compiles the rules to tests: per event only the currently active ones must run. */
export function compileSilences(rules: readonly SilenceRule[], reaches: Reaches): CompiledSilences {
  const wordsIn = openTitleWords();
  const silences = rules.map((rule): CompiledSilence => {
    const meant = { own: reaches.own.get(rule.id), below: reaches.below.get(rule.id) };
    return { rule, holdsUntil: holding(rule), test: compileMatcher(rule.matcher, meant, wordsIn) };
  });
  return { silences, maintained: reaches.maintained };
}
