/** The score of a split by names: of the pairs of CIs that it would part. */

import { int32At, itemAt } from '#domain/known.ts';
import { type NameWords, shareWord } from './name-words.ts';
import type { GraphPart } from './part.ts';
import type { Pairs } from './weigh-links.ts';

export interface CutNames {
  /** Pairs that are parted. */
  readonly cut: number;
  /** Both names have the same rarest word. */
  readonly same: number;
  /** Both names have words, and none in common. */
  readonly apart: number;
}

/** `own`: the pairs of the part, its nodes numbered from 0; `found`: the community of each. */
export function cutNames({ nodes }: GraphPart, own: Pairs, found: Int32Array, { ofCi, rarest }: NameWords): CutNames {
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
