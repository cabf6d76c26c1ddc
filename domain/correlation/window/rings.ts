/** Width of a bin, ms of event time. */
export const BIN_MS = 600_000;
export const binOf = (time: number): number => Math.floor(time / BIN_MS);

/** The 26 bins that a rate needs, and six more for arrivals that come up to an hour late. A power of two, for the mask. */
const RING_BINS = 32;
const MASK = RING_BINS - 1;
const FULL = 0xffff;

/** Counts per bin for many keys in one block of memory: 64 bytes a key. A count stops at 65,535. */
export interface Rings {
  readonly slots: Map<string, number>;
  counts: Uint16Array;
  /** Newest bin per slot; what lies more than `RING_BINS` before it is gone. */
  newest: Float64Array;
  readonly free: number[];
  /** Goes round the keys, a few per count, to forget those unseen. */
  sweep: IterableIterator<[string, number]> | null;
}

const FIRST_SLOTS = 64;

export const openRings = (): Rings => ({
  slots: new Map(),
  counts: new Uint16Array(FIRST_SLOTS * RING_BINS),
  newest: new Float64Array(FIRST_SLOTS),
  free: [],
  sweep: null,
});

const grow = (rings: Rings): void => {
  const counts = new Uint16Array(rings.counts.length * 2);
  counts.set(rings.counts);
  const newest = new Float64Array(rings.newest.length * 2);
  newest.set(rings.newest);
  rings.counts = counts;
  rings.newest = newest;
};

const openSlot = (rings: Rings, key: string, bin: number): number => {
  const slot = rings.free.pop() ?? rings.slots.size;
  if (slot >= rings.newest.length) grow(rings);
  rings.counts.fill(0, slot * RING_BINS, (slot + 1) * RING_BINS);
  rings.newest[slot] = bin;
  rings.slots.set(key, slot);
  return slot;
};

/** Moves the ring on to `bin`: the bins between are empty. */
const advance = (rings: Rings, slot: number, bin: number): void => {
  const newest = rings.newest[slot] as number;
  if (bin - newest >= RING_BINS) rings.counts.fill(0, slot * RING_BINS, (slot + 1) * RING_BINS);
  else for (let at = newest + 1; at <= bin; at++) rings.counts[slot * RING_BINS + (at & MASK)] = 0;
  rings.newest[slot] = bin;
};

/** Counts one event of the key in its own bin, while that bin exists. */
export function countIn(rings: Rings, key: string, bin: number): void {
  const slot = rings.slots.get(key) ?? openSlot(rings, key, bin);
  const newest = rings.newest[slot] as number;
  if (bin > newest) advance(rings, slot, bin);
  else if (bin <= newest - RING_BINS) return;
  const at = slot * RING_BINS + (bin & MASK);
  if ((rings.counts[at] as number) < FULL) rings.counts[at] = (rings.counts[at] as number) + 1;
}

/** Writes the counts of the bins from `bin` backwards into `into`; bins that are gone or not there yet count as empty. */
export function readBins(rings: Rings, key: string, bin: number, into: Uint16Array): void {
  const slot = rings.slots.get(key);
  if (slot === undefined) {
    into.fill(0);
    return;
  }
  const newest = rings.newest[slot] as number;
  for (let back = 0; back < into.length; back++) {
    const at = bin - back;
    const kept = at <= newest && at > newest - RING_BINS;
    into[back] = kept ? (rings.counts[slot * RING_BINS + (at & MASK)] as number) : 0;
  }
}

/** Looks at a few keys and forgets those unseen since before `oldest`; called per count, it keeps memory to what lives. */
export function forgetUnseen(rings: Rings, oldest: number, keys: number): void {
  for (let looked = 0; looked < keys; looked++) {
    rings.sweep ??= rings.slots.entries();
    const next = rings.sweep.next();
    if (next.done) {
      rings.sweep = null;
      return;
    }
    const [key, slot] = next.value;
    if ((rings.newest[slot] as number) >= oldest) continue;
    rings.slots.delete(key);
    rings.free.push(slot);
  }
}
