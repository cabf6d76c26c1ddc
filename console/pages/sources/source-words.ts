import type { SourceShown } from '#console/api/sources.ts';
import type { MarkKind } from '#console/facts/mark/kinds.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** So many of a day's entries come evenly about every five minutes or oftener: an hour without one is unusual. */
const STEADY = 288;

export interface SourceState {
  readonly kind: MarkKind;
  readonly words: string;
}

/** Whether a source is heard as it was before. */
export const sourceState = ({ lastEventAt, events24h, rejected24h }: SourceShown, now: number): SourceState => {
  if (lastEventAt === null) return { kind: 'quiet', words: 'never heard' };
  const age = now - Date.parse(lastEventAt);
  if (age > DAY_MS) return { kind: 'bad', words: 'silent for a day' };
  if (age > HOUR_MS && events24h >= STEADY) return { kind: 'caution', words: 'gone quiet' };
  if (rejected24h > events24h) return { kind: 'caution', words: 'mostly refused' };
  return { kind: 'good', words: 'heard' };
};

const RANKS: Readonly<Record<MarkKind, number>> = { bad: 0, caution: 1, good: 2, quiet: 3 };

/** Sources with problems first; those never heard of last. */
export const sortedSources = (sources: readonly SourceShown[], now: number): SourceShown[] =>
  sources.toSorted(
    (one, other) =>
      RANKS[sourceState(one, now).kind] - RANKS[sourceState(other, now).kind] ||
      other.events24h - one.events24h ||
      one.title.localeCompare(other.title),
  );
