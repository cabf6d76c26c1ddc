import { itemAt } from './assert.ts';

/** Each item of a list with the item of the other list in the same place: questions with their answers. Both have the same length. */
export function zip<A, B>(list: readonly A[], other: readonly B[]): [A, B][] {
  if (list.length !== other.length) throw new RangeError(`${list.length} items do not pair with ${other.length}`);
  return list.map((item, place) => [item, itemAt(other, place)]);
}
