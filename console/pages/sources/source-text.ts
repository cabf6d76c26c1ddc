import type { SourceData } from '#console/api/sources.ts';
import type { MarkKind } from '#console/components/mark/kinds.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Number of entries a day that means about one every five minutes or more often: an hour without one is unusual. */
const STEADY = 288;

export interface SourceState {
  readonly kind: MarkKind;
  readonly words: string;
}

/** Returns the state of a source by comparison with its earlier activity. */
export const sourceState = ({ lastEventAt, events24h, rejected24h }: SourceData, now: number): SourceState => {
  if (lastEventAt === null) return { kind: 'quiet', words: 'Not connected' };
  const age = now - Date.parse(lastEventAt);
  if (age > DAY_MS) return { kind: 'bad', words: 'No events for 24h' };
  if (age > HOUR_MS && events24h >= STEADY) return { kind: 'caution', words: 'No events for 1h' };
  if (rejected24h > events24h) return { kind: 'caution', words: 'Most payloads rejected' };
  return { kind: 'good', words: 'Receiving' };
};

const RANKS: Readonly<Record<MarkKind, number>> = { bad: 0, caution: 1, good: 2, quiet: 3 };

/** Returns sources with problems first; those without any events last. */
export const sortedSources = (sources: readonly SourceData[], now: number): SourceData[] =>
  sources.toSorted(
    (one, other) =>
      RANKS[sourceState(one, now).kind] - RANKS[sourceState(other, now).kind] ||
      other.events24h - one.events24h ||
      one.title.localeCompare(other.title),
  );
