import { rounded } from '#domain/numbers.ts';
import { ROLES, type ServerRole, TIERS, type Tier } from '#features/analyzer/rules/catalogue/roles.ts';
import { CLASSIFIED_FROM, type Classified, type Server, type ServerLink } from './server.ts';
import { type Sign, signsFor } from './signs.ts';
import { trafficOf } from './traffic.ts';

const MAX_REASONS = 4;

/** Odds of each role against none of them: e^w − 1 with the sum w of its signs, so that a faint sign takes nothing from the others. */
function chances(signs: readonly Sign[]): ReadonlyMap<ServerRole, number> {
  const weights = new Map<ServerRole, number>();
  for (const { role, weight } of signs) weights.set(role, (weights.get(role) ?? 0) + weight);
  const odds = [...weights].map(([role, weight]) => [role, Math.max(0, Math.expm1(weight))] as const);
  const sum = odds.reduce((total, [, one]) => total + one, 1);
  return new Map(odds.map(([role, one]) => [role, one / sum]));
}

/** The most probable tier and its most probable role; roles of one tier speak for it together. */
function bestOf(byRole: ReadonlyMap<ServerRole, number>): { role: ServerRole; tier: Tier; chance: number } | null {
  const tiers = TIERS.map((tier) => {
    const own = [...byRole].filter(([role]) => ROLES[role] === tier);
    const [first] = own.sort((a, b) => b[1] - a[1]);
    return { tier, role: first?.[0] ?? null, chance: own.reduce((sum, [, chance]) => sum + chance, 0) };
  });
  const best = tiers.reduce((one, other) => (other.chance > one.chance ? other : one));
  return best.role === null ? null : { role: best.role, tier: best.tier, chance: best.chance };
}

function reasonsOf(signs: readonly Sign[], tier: Tier): string[] {
  const own = signs.filter(({ role, weight }) => ROLES[role] === tier && weight > 0);
  const sorted = own.sort((a, b) => b.weight - a.weight);
  return [...new Set(sorted.map(({ reason }) => reason))].slice(0, MAX_REASONS);
}

/** Roles and tiers of servers from what runs on them, their names, and who connects to whom; in time linear in all of it. */
export function classify(servers: readonly Server[], links: readonly ServerLink[]): Classified[] {
  const traffic = trafficOf(servers, links);
  return servers.map((server): Classified => {
    const { id, hostname } = server;
    const signs = signsFor(server, traffic(id));
    const best = bestOf(chances(signs));
    const confidence = rounded(best?.chance ?? 0);
    const reasons = best === null ? [] : reasonsOf(signs, best.tier);
    if (best === null || confidence < CLASSIFIED_FROM)
      return { id, hostname, role: 'unclassified', tier: 'unclassified', confidence, reasons };
    return { id, hostname, role: best.role, tier: best.tier, confidence, reasons };
  });
}
