/** An estate without hubs and infrastructure: pairs of CIs that belong together, with weights. */
import { itemAt } from '#domain/assert.ts';
import type { Infrastructure, InfrastructureLink } from './infrastructure.ts';
import { KIND_WEIGHTS, type LinkKind, linkKind, OTHER_WORDS, SAME_WORD } from './links.ts';
import { type NameWords, shareWord } from './name-words.ts';
import { PairTable } from './pair-table.ts';

/** Undirected; each pair once, with the weight of its strongest link. */
export interface Pairs {
  readonly count: number;
  readonly one: Int32Array;
  readonly other: Int32Array;
  readonly weight: Float64Array;
}

export interface WeighedLinks {
  readonly pairs: Pairs;
  /** Links that lead into a service by its front door, and to the hubs. */
  readonly cut: number;
}

/** The weight of a link, 0 for one that is cut. */
function weightOf(kind: LinkKind, { source, target }: InfrastructureLink, { ofCi }: NameWords): number {
  const [one, other] = [itemAt(ofCi, source), itemAt(ofCi, target)];
  if (shareWord(one, other)) return KIND_WEIGHTS[kind] * SAME_WORD;
  if (kind === 'entry') return 0;
  return KIND_WEIGHTS[kind] * (one.length > 0 && other.length > 0 ? OTHER_WORDS : 1);
}

export function weighLinks({ cis, links }: Infrastructure, isHub: Uint8Array, words: NameWords): WeighedLinks {
  const table = new PairTable(cis.length, links.length);
  let cut = 0;
  for (const link of links) {
    const { source, target } = link;
    const kind = source === target ? null : linkKind(link, itemAt(cis, target));
    if (kind === null) continue;
    const weight = isHub[source] === 1 || isHub[target] === 1 ? 0 : weightOf(kind, link, words);
    if (weight === 0) cut += 1;
    else table.put(source, target, weight);
  }
  const { count } = table;
  const pairs = { count, one: new Int32Array(count), other: new Int32Array(count), weight: new Float64Array(count) };
  for (let n = 0; n < count; n++) {
    pairs.one[n] = table.smaller(n);
    pairs.other[n] = table.greater(n);
    pairs.weight[n] = table.weight(n);
  }
  return { pairs, cut };
}
