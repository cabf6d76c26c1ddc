/** Which CIs serve the same purpose. */
import { firstItem } from '#domain/known.ts';
import { type CutNames, cutNames } from './cut-names.ts';
import { type Estate, Pace } from './estate.ts';
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
function* servicesIn(part: GraphPart, whole: Whole): Generator<void, GraphPart[]> {
  const { length } = part.nodes;
  if (length <= SMALLEST) return [part];
  const own = yield* ownPairs(part, whole.pairs, whole.places);
  const found = yield* louvain(length, own, SEED);
  if ((yield* modularity(length, own, found)) < LEAST_MODULARITY) return [part];
  if (!saysSplit(yield* cutNames(part, own, found, whole.words), length)) return [part];
  const services: GraphPart[] = [];
  for (const one of yield* cutApart(part, own, found)) services.push(...(yield* servicesIn(one, whole)));
  return services;
}

function* numbered(nodes: number, parts: readonly GraphPart[]): Generator<void, Pick<Split, 'serviceOf' | 'services'>> {
  const pace = new Pace();
  const services = parts.filter((part) => part.nodes.length >= SMALLEST);
  services.sort((a, b) => b.nodes.length - a.nodes.length || firstItem(a.nodes) - firstItem(b.nodes));
  const serviceOf = new Int32Array(nodes).fill(-1);
  for (const [service, part] of services.entries()) {
    for (const node of part.nodes) serviceOf[node] = service;
    if (pace.isOver(part.nodes.length)) yield;
  }
  return { serviceOf, services: services.length };
}

/** Splits an estate into services. Yields about every tenth of a millisecond. */
export function* split(estate: Estate, hubs: readonly Hub[], words: NameWords): Generator<void, Split> {
  const nodes = estate.cis.length;
  const isHub = new Uint8Array(nodes);
  for (const { ci } of hubs) isHub[ci] = 1;
  const { pairs, cut } = yield* weighLinks(estate, isHub, words);
  const parts = yield* componentParts(nodes, pairs);
  const whole = { pairs, words, places: new Int32Array(nodes) };
  const services: GraphPart[] = [];
  for (const part of parts) {
    services.push(...(yield* servicesIn(part, whole)));
    yield;
  }
  return { ...(yield* numbered(nodes, services)), components: parts.length, cut };
}
