/** The role of each CI in a service. */

import { entryOf, float64At, itemAt } from '#domain/assert.ts';
import { adjacencyOf } from '#features/analyzer/rules/graph/adjacency.ts';
import { betweenness } from '#features/analyzer/rules/graph/betweenness.ts';
import { classify } from '#features/analyzer/rules/servers/classify.ts';
import type { Classified } from '#features/analyzer/rules/servers/server.ts';
import type { Bonds } from './bonds.ts';
import {
  type Infrastructure,
  type InfrastructureCi,
  type InfrastructureLink,
  isBusinessService,
} from './infrastructure.ts';

/** Runs steps to their end at once, without pauses. */
export function finished<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

export interface Roles {
  /** Roles in the order of the members. */
  readonly members: readonly Pick<Classified, 'role' | 'tier' | 'confidence'>[];
  /** Places in the list of CIs: entry points of callers, and the core that most paths within the service pass. */
  readonly entryPoints: readonly number[];
  readonly core: readonly number[];
}

/** Types that do not identify the purpose of a machine. */
const PLAIN_TYPES: ReadonlySet<string> = new Set([
  'server',
  'virtual_machine',
  'vm',
  'host',
  'node',
  'container',
  'pod',
]);
const MAX_CORE = 3;
/** Larger services have too many ways to look at. */
const MAX_MEMBERS = 5_000;

const NO_MACHINE = { role: 'unclassified', tier: 'unclassified', confidence: 0 } as const;

const serverOf = ({ id, name, type, processes = [] }: InfrastructureCi) => ({
  id,
  hostname: name,
  software: [],
  processes,
  type: PLAIN_TYPES.has(type) ? null : type,
});

const entriesOf = ({ members, within, leaving, outside }: Bonds, tiers: readonly string[]): number[] => {
  const own = new Set(members);
  const calledWithin = new Set(within.map(({ target }) => target));
  const calledFromOutside = new Set(
    [...leaving, ...outside].flatMap(({ target }) => (own.has(target) ? [target] : [])),
  );
  return members.filter((ci, i) => tiers[i] === 'frontend' || (calledFromOutside.has(ci) && !calledWithin.has(ci)));
};

function coreOf({ members, within }: Bonds): number[] {
  if (members.length > MAX_MEMBERS) return [];
  const places = new Map(members.map((ci, place) => [ci, place]));
  const pairs = within.map(({ source, target }) => [entryOf(places, source), entryOf(places, target)] as const);
  const passed = finished(betweenness(adjacencyOf(members.length, pairs)));
  const busy = members.flatMap((ci, place) =>
    float64At(passed, place) > 0 ? [{ ci, share: float64At(passed, place) }] : [],
  );
  return busy
    .sort((a, b) => b.share - a.share || a.ci - b.ci)
    .slice(0, MAX_CORE)
    .map(({ ci }) => ci);
}

/** Roles in one service. */
export function rolesIn({ cis }: Infrastructure, bonds: Bonds): Roles {
  const idOf = (place: number): string => itemAt(cis, place).id;
  const linkOf = ({ source, target, port }: InfrastructureLink) => ({
    source: idOf(source),
    target: idOf(target),
    port,
  });
  const links = [...bonds.within, ...bonds.leaving, ...bonds.outside].map(linkOf);
  const found = classify(
    bonds.members.map((ci) => serverOf(itemAt(cis, ci))),
    links,
  );
  const members = found.map(({ role, tier, confidence }, place) =>
    isBusinessService(itemAt(cis, itemAt(bonds.members, place))) ? NO_MACHINE : { role, tier, confidence },
  );
  const entryPoints = entriesOf(
    bonds,
    members.map(({ tier }) => tier),
  );
  return { members, entryPoints, core: coreOf(bonds) };
}
