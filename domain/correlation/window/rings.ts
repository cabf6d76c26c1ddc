/** Width of a bin, ms of event time. */
export const BIN_MS = 600_000;
export const binOf = (time: number): number => Math.floor(time / BIN_MS);

/** The step of counts, so that the bins of a rate can end at any minute, ms of event time. */
const STEP_MS = 60_000;
export const stepOf = (time: number): number => Math.floor(time / STEP_MS);
export const STEPS_PER_BIN = BIN_MS / STEP_MS;

/** The steps that a rate needs, and an hour for arrivals that come late. */
const RING_STEPS = 320;
const FULL = 0xff;

/** Counts per step for many keys in one block of memory: 320 bytes a key. A count stops at 255. */
export interface Rings {
  readonly slots: Map<string, number>;
  counts: Uint8Array;
  /** Newest step per slot; what lies more than `RING_STEPS` before it is gone. */
  newest: Float64Array;
  readonly free: number[];
  /** Goes round the keys, a few per count, to forget those unseen. */
  sweep: IterableIterator<[string, number]> | null;
}

const FIRST_SLOTS = 64;

export const openRings = (): Rings => ({
  slots: new Map(),
  counts: new Uint8Array(FIRST_SLOTS * RING_STEPS),
  newest: new Float64Array(FIRST_SLOTS),
  free: [],
  sweep: null,
});

const grow = (rings: Rings): void => {
  const counts = new Uint8Array(rings.counts.length * 2);
  counts.set(rings.counts);
  const newest = new Float64Array(rings.newest.length * 2);
  newest.set(rings.newest);
  rings.counts = counts;
  rings.newest = newest;
};

const openSlot = (rings: Rings, key: string, step: number): number => {
  const slot = rings.free.pop() ?? rings.slots.size;
  if (slot >= rings.newest.length) grow(rings);
  rings.counts.fill(0, slot * RING_STEPS, (slot + 1) * RING_STEPS);
  rings.newest[slot] = step;
  rings.slots.set(key, slot);
  return slot;
};

const placeOf = (slot: number, step: number): number =>
  slot * RING_STEPS + (((step % RING_STEPS) + RING_STEPS) % RING_STEPS);

/** Moves the ring on to `step`: the steps between are empty. */
const advance = ({ counts, newest }: Rings, slot: number, step: number): void => {
  const gone = Math.min(step - (newest[slot] as number), RING_STEPS);
  const end = placeOf(slot, step) + 1;
  const first = slot * RING_STEPS;
  counts.fill(0, Math.max(first, end - gone), end);
  const rest = gone - (end - first);
  if (rest > 0) counts.fill(0, first + RING_STEPS - rest, first + RING_STEPS);
  newest[slot] = step;
};

/** Counts one event of the key in its own step, while that step exists. */
export function countIn(rings: Rings, key: string, step: number): void {
  const slot = rings.slots.get(key) ?? openSlot(rings, key, step);
  const newest = rings.newest[slot] as number;
  if (step > newest) advance(rings, slot, step);
  else if (step <= newest - RING_STEPS) return;
  const at = placeOf(slot, step);
  if ((rings.counts[at] as number) < FULL) rings.counts[at] = (rings.counts[at] as number) + 1;
}

/**
 * Writes the counts of bins into `into`, the last of which ends with the step `end`, from there backwards; steps that are gone or not
 * there yet count as empty.
 */
export function readBins({ slots, counts, newest }: Rings, key: string, end: number, into: Uint16Array): void {
  into.fill(0);
  const slot = slots.get(key);
  if (slot === undefined) return;
  const last = newest[slot] as number;
  const first = Math.max(end - into.length * STEPS_PER_BIN + 1, last - RING_STEPS + 1);
  let place = placeOf(slot, Math.min(end, last));
  for (let step = Math.min(end, last); step >= first; step--) {
    const count = counts[place] as number;
    if (count > 0) into[Math.floor((end - step) / STEPS_PER_BIN)]! += count;
    place = place === slot * RING_STEPS ? place + RING_STEPS - 1 : place - 1;
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
