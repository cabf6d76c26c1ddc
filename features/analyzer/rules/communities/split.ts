/** Finds CIs that serve the same purpose. */
import { firstItem, float64At, int32At, itemAt } from '#domain/assert.ts';
import type { Hub } from './hubs.ts';
import { type Infrastructure, numbersTo } from './infrastructure.ts';
import { louvain } from './louvain.ts';
import { type NameWords, shareWord } from './name-words.ts';
import { type Pairs, weighLinks } from './weigh-links.ts';

/** The score of a split by names: of the pairs of CIs that it would part. */

/** Parts of a graph: some of its nodes, and the pairs among them. */

const rootOf = (parents: Int32Array, node: number): number => {
  let at = node;
  while (parents[at] !== at) {
    parents[at] = int32At(parents, int32At(parents, at));
    at = int32At(parents, at);
  }
  return at;
};

/** The smallest node of each node's component. */
function components(nodes: number, { count, one, other }: Pairs): Int32Array {
  const parents = numbersTo(nodes);
  for (let pair = 0; pair < count; pair++) {
    const [a, b] = [rootOf(parents, int32At(one, pair)), rootOf(parents, int32At(other, pair))];
    if (a !== b) parents[Math.max(a, b)] = Math.min(a, b);
  }
  for (let node = 0; node < nodes; node++) {
    parents[node] = rootOf(parents, node);
  }
  return parents;
}

interface GraphPart {
  /** Nodes in ascending order. */
  readonly nodes: readonly number[];
  /** Places in the pairs of the whole graph. */
  readonly pairs: readonly number[];
}
interface PartDraft {
  readonly nodes: number[];
  readonly pairs: number[];
}

/** Components of two nodes or more, in the order of their first nodes. */
function componentParts(nodes: number, pairs: Pairs): GraphPart[] {
  const roots = components(nodes, pairs);
  const byRoot = new Map<number, PartDraft>();
  for (let pair = 0; pair < pairs.count; pair++) {
    const root = int32At(roots, int32At(pairs.one, pair));
    const part = byRoot.get(root);
    if (part === undefined) byRoot.set(root, { nodes: [], pairs: [pair] });
    else part.pairs.push(pair);
  }
  for (let node = 0; node < nodes; node++) {
    byRoot.get(int32At(roots, node))?.nodes.push(node);
  }
  return [...byRoot.values()].sort((a, b) => firstItem(a.nodes) - firstItem(b.nodes));
}

/** The part as a graph of its own, its nodes numbered from 0. `places`: work space, one entry per node of the whole graph. */
function ownPairs({ nodes, pairs: own }: GraphPart, pairs: Pairs, places: Int32Array): Pairs {
  const count = own.length;
  const made = { count, one: new Int32Array(count), other: new Int32Array(count), weight: new Float64Array(count) };
  for (let place = 0; place < nodes.length; place++) {
    places[itemAt(nodes, place)] = place;
  }
  for (let at = 0; at < count; at++) {
    const pair = itemAt(own, at);
    made.one[at] = int32At(places, int32At(pairs.one, pair));
    made.other[at] = int32At(places, int32At(pairs.other, pair));
    made.weight[at] = float64At(pairs.weight, pair);
  }
  return made;
}

/** The part cut along communities: pairs between two of them are in none. `found`: the community of each node of `own`, from 0. */
function cutApart(part: GraphPart, own: Pairs, found: Int32Array): GraphPart[] {
  const parts: PartDraft[] = [];
  for (const [place, node] of part.nodes.entries()) {
    const community = int32At(found, place);
    if (community === parts.length) parts.push({ nodes: [], pairs: [] });
    itemAt(parts, community).nodes.push(node);
  }
  for (const [at, pair] of part.pairs.entries()) {
    const community = int32At(found, int32At(own.one, at));
    if (community === found[int32At(own.other, at)]) itemAt(parts, community).pairs.push(pair);
  }
  return parts;
}

/** Share of the weight within communities, beyond the expected share: 0 for one community, below 1. */
export function modularity(nodes: number, { count, one, other, weight }: Pairs, found: Int32Array): number {
  const totals = new Float64Array(nodes);
  let [inner, all] = [0, 0];
  for (let pair = 0; pair < count; pair++) {
    const [a, b] = [int32At(found, int32At(one, pair)), int32At(found, int32At(other, pair))];
    totals[a] = float64At(totals, a) + float64At(weight, pair);
    totals[b] = float64At(totals, b) + float64At(weight, pair);
    all += float64At(weight, pair);
    if (a === b) inner += float64At(weight, pair);
  }
  return inner / all - totals.reduce((sum, total) => sum + (total / (2 * all)) ** 2, 0);
}

interface CutNames {
  /** Pairs that are parted. */
  readonly cut: number;
  /** Both names have the same rarest word. */
  readonly same: number;
  /** Both names have words, and none in common. */
  readonly apart: number;
}

/** `own`: the pairs of the part, its nodes numbered from 0; `found`: the community of each. */
function cutNames({ nodes }: GraphPart, own: Pairs, found: Int32Array, { ofCi, rarest }: NameWords): CutNames {
  let [cut, same, apart] = [0, 0, 0];
  for (let pair = 0; pair < own.count; pair++) {
    if (found[int32At(own.one, pair)] === found[int32At(own.other, pair)]) continue;
    cut += 1;
    const [one, other] = [itemAt(nodes, int32At(own.one, pair)), itemAt(nodes, int32At(own.other, pair))];
    if (rarest[one] === -1 || rarest[other] === -1) continue;
    if (rarest[one] === rarest[other]) same += 1;
    else if (!shareWord(itemAt(ofCi, one), itemAt(ofCi, other))) apart += 1;
  }
  return { cut, same, apart };
}

/** A part of up to this size stays whole unless names separate its communities: its few links are weak evidence. */
const LARGEST_WHOLE = 8;
/** Share of same-name pairs at which a split would cut a service apart. */
const ONE_NAME = 0.8;
/** Below this modularity a part is one service, whose tiers look like communities. */
const MIN_MODULARITY = 0.25;
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

/** A small part needs separating names for a split; a large one stays whole when names join it. */
const saysSplit = ({ cut, same, apart }: CutNames, nodes: number): boolean =>
  nodes <= LARGEST_WHOLE ? apart === cut : same < ONE_NAME * cut;

/** Splits a part, and its parts again, while communities exist: in one pass, Louvain joins small ones in a large graph. */
function servicesIn(part: GraphPart, whole: Whole): GraphPart[] {
  const { length } = part.nodes;
  if (length <= SMALLEST) return [part];
  const own = ownPairs(part, whole.pairs, whole.places);
  const found = louvain(length, own, SEED);
  if (modularity(length, own, found) < MIN_MODULARITY) return [part];
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
export function split(estate: Infrastructure, hubs: readonly Hub[], words: NameWords): Split {
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
