import { type Severity, severityOfRank, severityRank } from '#domain/event/event.ts';
import type { CiPlace } from '#domain/ports/topology/infrastructure-queries.ts';

/** Maximum of boxes with others in them, and of those without. */
const MAX_BOXES = 200;
const MAX_INNER = 1_000;
const LEAST_INNER = 4;

/** Ranks of severities: above 0, the worst highest. */
export const rankOf = (severity: Severity): number => severityRank(severity) + 1;

export type PlaceCounts = Omit<CiPlace, 'values'>;
/** CIs together: those with an unresolved event, and the worst of these. */
export interface BoxCounts {
  readonly cis: number;
  readonly affected: number;
  readonly worst: Severity | null;
}
export interface BoxSet {
  readonly boxes: readonly CiBox[];
  /** CIs in further boxes; null: none. */
  readonly others: BoxCounts | null;
}
/** One value of a level, with the boxes of the level below. */
export interface CiBox extends BoxCounts, BoxSet {
  readonly value: string | null;
}

export const countsOf = (places: readonly PlaceCounts[]): BoxCounts => {
  const highest = places.reduce((most, place) => Math.max(most, place.highest), 0);
  return {
    cis: places.reduce((sum, { cis }) => sum + cis, 0),
    affected: places.reduce((sum, { ranked }) => sum + ranked, 0),
    worst: highest === 0 ? null : severityOfRank(highest - 1),
  };
};

const urgency = ({ worst }: BoxCounts): number => (worst === null ? 0 : rankOf(worst));
/** The worst first, then the largest; equal ones by their values. */
const byUrgency = (one: CiBox, other: CiBox): number =>
  urgency(other) - urgency(one) ||
  other.cis - one.cis ||
  (one.value ?? '\uffff').localeCompare(other.value ?? '\uffff', 'en', { numeric: true });

/** Counts the CIs that the store has left out: their ranks are no higher than that of the last place. */
export const restOf = (places: readonly CiPlace[], all: PlaceCounts): PlaceCounts | null => {
  const shown = countsOf(places);
  const cis = all.cis - shown.cis;
  const ranked = Math.max(0, all.ranked - shown.affected);
  return cis <= 0 ? null : { cis, ranked, highest: ranked === 0 ? 0 : (places.at(-1)?.highest ?? all.highest) };
};

const levelOf = (places: readonly CiPlace[], level: number, most: number, rest: PlaceCounts | null): BoxSet => {
  const depth = places[0]?.values.length ?? 0;
  if (level >= depth) return { boxes: [], others: null };
  const byValue = Map.groupBy(places, ({ values }) => values[level] ?? null);
  const inner = Math.max(LEAST_INNER, Math.floor(MAX_INNER / Math.min(byValue.size, most)));
  const found = [...byValue]
    .map(([value, own]) => ({ own, box: { value, ...countsOf(own), ...levelOf(own, level + 1, inner, null) } }))
    .sort((one, other) => byUrgency(one.box, other.box));
  const left = [...found.slice(most).flatMap(({ own }) => own), ...(rest === null ? [] : [rest])];
  return { boxes: found.slice(0, most).map(({ box }) => box), others: left.length === 0 ? null : countsOf(left) };
};

/** Boxes of one level, or of two within each other. */
export const boxesOf = (places: readonly CiPlace[], rest: PlaceCounts | null): BoxSet =>
  levelOf(places, 0, (places[0]?.values.length ?? 0) > 1 ? MAX_BOXES : MAX_INNER, rest);
