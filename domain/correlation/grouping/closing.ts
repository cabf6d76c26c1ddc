/** When open groups are due to close: a heap by the time of the last member, in which a key may be older than the truth. */

interface Due {
  readonly last: number;
  readonly id: string;
}
export type Closing = Due[];

const dueAt = (heap: Closing, at: number): Due => heap[at]!;

export const watchGroup = (heap: Closing, last: number, id: string): void => {
  const due = { last, id };
  let at = heap.length;
  heap.push(due);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (dueAt(heap, parent).last <= last) break;
    heap[at] = dueAt(heap, parent);
    at = parent;
  }
  heap[at] = due;
};

const takeFirst = (heap: Closing): Due => {
  const first = dueAt(heap, 0);
  const moved = heap.pop()!;
  if (heap.length === 0) return first;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && dueAt(heap, child + 1).last < dueAt(heap, child).last) child++;
    if (dueAt(heap, child).last >= moved.last) break;
    heap[at] = dueAt(heap, child);
    at = child;
  }
  heap[at] = moved;
  return first;
};

/**
 * Ids of the groups whose last member is earlier than `before`, in order. `lastOf` gives null for a group that is open no more.
 * Only keys are corrected: asked again, it answers the same. O(due · log groups).
 */
export function dueGroups(heap: Closing, before: number, lastOf: (id: string) => number | null): string[] {
  const due: Due[] = [];
  while (heap.length > 0 && dueAt(heap, 0).last < before) {
    const { id } = takeFirst(heap);
    const last = lastOf(id);
    if (last === null) continue;
    if (last < before) due.push({ last, id });
    else watchGroup(heap, last, id);
  }
  for (const { last, id } of due) watchGroup(heap, last, id);
  return [...new Set(due.map(({ id }) => id))].sort();
}
