/** Which CIs serve the same purpose. */
import { firstItem } from '#domain/known.ts';
import { type CutNames, cutNames } from './cut-names.ts';
import type { Estate } from './estate.ts';
import type { Hub } from './hubs.ts';
import { louvain } from './louvain.ts';
import { modularity } from './modularity.ts';
import type { NameWords } from './name-words.ts';
import { componentParts, cutApart, type GraphPart, ownPairs } from './part.ts';
import { type Pairs, weighLinks } from './weigh-links.ts';

/** A part of so many CIs stays whole unless names tell its communities apart: so few links say little. */
const LARGEST_WHOLE = 8;
/** A split that parts CIs of one name in so many cases would cut a service into its parts. */
const ONE_NAME = 0.8;
/** Below this modularity a part is one service, whose tiers look like communities. */
const LEAST_MODULARITY = 0.25;
/** The same estate is always split in the same way. */
const SEED = 20_251;
/** A CI by itself serves nothing that is known. */
const SMALLEST = 2;

export interface Split {
  /** Number of each CI's service; -1 for CIs of none. */
  readonly serviceOf: Int32Array;
  /** Services of two CIs or more: the larger first, then by their first CI. */
  readonly services: number;
  readonly components: number;
  /** Links that were left out: of hubs, and into front doors. */
  readonly cut: number;
}

interface Whole {
  readonly pairs: Pairs;
  readonly words: NameWords;
  /** Work space, one entry per CI. */
  readonly places: Int32Array;
}

/** A small part needs names that tell it apart; a large one is left whole when they say that it is one. */
const saysSplit = ({ cut, same, apart }: CutNames, nodes: number): boolean =>
  nodes <= LARGEST_WHOLE ? apart === cut : same < ONE_NAME * cut;

/** Splits a part, and what comes of that, as long as there are communities: at once, Louvain joins small ones in a large graph. */
function servicesIn(part: GraphPart, whole: Whole): GraphPart[] {
  const { length } = part.nodes;
  if (length <= SMALLEST) return [part];
  const own = ownPairs(part, whole.pairs, whole.places);
  const found = louvain(length, own, SEED);
  if (modularity(length, own, found) < LEAST_MODULARITY) return [part];
  if (!saysSplit(cutNames(part, own, found, whole.words), length)) return [part];
  const services: GraphPart[] = [];
  for (const one of cutApart(part, own, found)) services.push(...servicesIn(one, whole));
  return services;
}

function numbered(nodes: number, parts: readonly GraphPart[]): Pick<Split, 'serviceOf' | 'services'> {
  const services = parts.filter((part) => part.nodes.length >= SMALLEST);
  services.sort((a, b) => b.nodes.length - a.nodes.length || firstItem(a.nodes) - firstItem(b.nodes));
  const serviceOf = new Int32Array(nodes).fill(-1);
  for (const [service, part] of services.entries()) {
    for (const node of part.nodes) serviceOf[node] = service;
  }
  return { serviceOf, services: services.length };
}

/** Splits an estate into services. Yields about every tenth of a millisecond. */
export function split(estate: Estate, hubs: readonly Hub[], words: NameWords): Split {
  const nodes = estate.cis.length;
  const isHub = new Uint8Array(nodes);
  for (const { ci } of hubs) isHub[ci] = 1;
  const { pairs, cut } = weighLinks(estate, isHub, words);
  const parts = componentParts(nodes, pairs);
  const whole = { pairs, words, places: new Int32Array(nodes) };
  const services: GraphPart[] = [];
  for (const part of parts) {
    services.push(...servicesIn(part, whole));
  }
  return { ...numbered(nodes, services), components: parts.length, cut };
}
