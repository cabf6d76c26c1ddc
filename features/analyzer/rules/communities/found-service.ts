/** A service as the analysis found it. */
import { itemAt } from '#domain/assert.ts';
import type { ServerRole, Tier } from '#features/analyzer/rules/catalogue/roles.ts';
import type { Bonds } from './bonds.ts';
import { type Category, categoryOf, type TierCounts, tierCounts } from './category.ts';
import { type Infrastructure, isBusinessService } from './infrastructure.ts';
import type { Naming } from './naming.ts';
import type { Roles } from './roles.ts';

/** Confidence that the CIs of a service belong together, and are complete. */

interface Grounds {
  readonly members: number;
  /** Members whose names share the first word of the service's name. */
  readonly agreeing: number;
  /** Pairs of CIs that are connected: among the members, and with other services. */
  readonly within: number;
  readonly leaving: number;
  /** Members whose tier is known. */
  readonly classified: number;
}

/** A confidence of 0.5 means 0.7 overlap with the real services in simulated environments, and 0.8 means 0.95 (features/analyzer/bench/services.ts). */
const LEAST = 0.3;
const WEIGHTS = { names: 0.25, cohesion: 0.35, tiers: 0.05 } as const;
const MOST = 0.95;

/** 0.3 to 0.95, two digits. */
export function confidenceOf({ members, agreeing, within, leaving, classified }: Grounds): number {
  const cohesion = within + leaving === 0 ? 0 : within / (within + leaving);
  const sum = LEAST + (WEIGHTS.names * agreeing + WEIGHTS.tiers * classified) / members + WEIGHTS.cohesion * cohesion;
  return Math.round(100 * Math.min(MOST, sum)) / 100;
}

export interface FoundMember {
  readonly ciId: string;
  readonly name: string;
  readonly type: string;
  readonly role: ServerRole | 'unclassified';
  readonly tier: Tier | 'unclassified';
  /** Confidence of the tier, 0 to 1. */
  readonly confidence: number;
}

export interface FoundService {
  readonly name: string;
  readonly category: Category;
  readonly environment: string | null;
  /** 0.3 to 0.95: how sure it is that these CIs belong together, and are all. */
  readonly confidence: number;
  /** Number of all members; the list has the first `MAX_MEMBERS`. */
  readonly size: number;
  readonly members: readonly FoundMember[];
  readonly tiers: TierCounts;
  /** CIs: entry points of callers, and the core that most paths within the service pass. */
  readonly entryPoints: readonly string[];
  readonly core: readonly string[];
  /** Pairs of CIs that are connected: among the members, and with other services. */
  readonly linksWithin: number;
  readonly linksLeaving: number;
  /** Word of the name, the number of members that have it, and the first of them; null when the names have none in common. */
  readonly word: { readonly text: string; readonly count: number; readonly ciIds: readonly string[] } | null;
  /** The most connected first. */
  readonly connectedTo: readonly { readonly name: string; readonly links: number }[];
  /** Members with links to other services. */
  readonly edge: readonly string[];
}

/** Limit of a business service. */
export const MAX_MEMBERS = 500;
const MAX_OTHERS = 20;
const MAX_NAMED = 50;
const MAX_CITED = 5;

/** Knowledge about one service. */
interface ServiceKnowledge {
  readonly estate: Infrastructure;
  readonly bonds: Bonds;
  readonly roles: Roles;
  readonly naming: Naming;
  /** Names of all services, by number. */
  readonly names: readonly string[];
}

const othersOf = ({ bonds, names }: ServiceKnowledge): FoundService['connectedTo'] =>
  [...bonds.others]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, MAX_OTHERS)
    .map(([number, links]) => ({ name: itemAt(names, number), links }));

function edgeOf({ members, leaving }: Bonds): number[] {
  const own = new Set(members);
  return [...new Set(leaving.flatMap(({ source, target }) => [source, target]))].filter((ci) => own.has(ci));
}

const memberOf = ({ estate, roles }: ServiceKnowledge, ci: number, place: number): FoundMember => {
  const { id: ciId, name, type } = itemAt(estate.cis, ci);
  return { ciId, name, type, ...itemAt(roles.members, place) };
};

const wordOf = ({ words, agreeing }: Naming, idsOf: (cis: readonly number[], most: number) => string[]) => {
  const [text] = words;
  return text === undefined ? null : { text, count: agreeing.length, ciIds: idsOf(agreeing, MAX_CITED) };
};

/** Puts together what is known of a service. */
export function foundService(found: ServiceKnowledge): FoundService {
  const { estate, bonds, roles, naming } = found;
  const { members, pairsWithin, pairsLeaving } = bonds;
  const tiers = roles.members.map(({ tier }) => tier);
  const counts = tierCounts(tiers);
  const idsOf = (cis: readonly number[], most: number): string[] =>
    cis.slice(0, most).map((ci) => itemAt(estate.cis, ci).id);
  const confidence = confidenceOf({
    members: members.length,
    agreeing: naming.agreeing.length,
    within: pairsWithin,
    leaving: pairsLeaving,
    classified: tiers.filter(
      (tier, place) => tier !== 'unclassified' || isBusinessService(itemAt(estate.cis, itemAt(members, place))),
    ).length,
  });
  return {
    name: naming.name,
    category: categoryOf(counts),
    environment: naming.environment,
    confidence,
    size: members.length,
    tiers: counts,
    members: members.slice(0, MAX_MEMBERS).map((ci, place) => memberOf(found, ci, place)),
    entryPoints: idsOf(roles.entryPoints, MAX_NAMED),
    core: idsOf(roles.core, MAX_NAMED),
    linksWithin: pairsWithin,
    linksLeaving: pairsLeaving,
    word: wordOf(naming, idsOf),
    connectedTo: othersOf(found),
    edge: idsOf(edgeOf(bonds), MAX_CITED),
  };
}

/** The surest first, then the largest. */
export const byConfidence = (a: FoundService, b: FoundService): number =>
  b.confidence - a.confidence || b.size - a.size || (a.name < b.name ? -1 : 1);
