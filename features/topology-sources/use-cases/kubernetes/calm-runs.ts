/** Runs of a source none of whose objects has changed since the last one: these need no comparison. */
import type { MemorySlot } from '#domain/ports/memory.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { runChanges } from '#features/topology-sources/rules/changes.ts';
import type { SetCounts } from '#features/topology-sources/rules/source.ts';
import type { AppliedSet, SetApplication } from '#features/topology-sources/use-cases/said/apply-set.ts';

export interface FoundSet {
  readonly set: AppliedSet;
  readonly pods: number;
  /** Firing alerts. */
  readonly alerts?: number;
}
/** A source as it was read: `seen` is the same object, and `shape` the same value, while nothing has changed. */
export interface SeenSource {
  readonly seen: object;
  readonly shape: number | string;
}
interface CalmRun {
  readonly shape: number | string;
  /** A run of another process has another time, ms. */
  at: number;
  readonly found: FoundSet;
}

/** Not stored, so that the first run of each process compares. */
const CALM: MemorySlot<WeakMap<object, CalmRun>> = { name: 'topology-calm', open: () => new WeakMap() };

const isPlain = ({ isDryRun, isConfirmed, notesSeen, isStopping }: SetApplication): boolean =>
  !isDryRun && !isConfirmed && !notesSeen && !isStopping();

/** Returns the result of a run that would change nothing; null: it must compare. */
export function calmRun(
  { memory }: Pick<Ports, 'memory'>,
  { seen, shape }: SeenSource,
  how: SetApplication,
  lastRun: number | null,
): FoundSet | null {
  const last = memory.of(CALM).get(seen);
  if (last === undefined || last.at !== lastRun || last.shape !== shape || !isPlain(how)) return null;
  last.at = how.at;
  return last.found;
}

const NONE = { created: [], updated: [], missing: [], ended: [] };
const calmCounts = ({ total }: SetCounts): SetCounts => ({
  total,
  created: 0,
  updated: 0,
  unchanged: total,
  ended: 0,
  missing: 0,
  failed: 0,
});

/** Remembers a run that left nothing to do. One that noted `last_seen` may have found that CIs were deleted. */
export function noteCalm(
  { memory }: Pick<Ports, 'memory'>,
  { seen, shape }: SeenSource,
  how: SetApplication,
  found: FoundSet,
): void {
  const { cis, relationships, held, errors, endsAt } = found.set;
  const isDone = held === null && endsAt === null && errors.length + cis.failed + relationships.failed === 0;
  if (!isDone || !isPlain(how)) return;
  const set = {
    ...found.set,
    cis: calmCounts(cis),
    relationships: calmCounts(relationships),
    changes: runChanges(NONE, NONE),
  };
  memory.of(CALM).set(seen, { shape, at: how.at, found: { ...found, set } });
}
