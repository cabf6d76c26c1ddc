import type { MarkKind } from '#console/components/mark/kinds.ts';
import { count, number } from '#console/text/counts.ts';
import { duration } from '#console/text/times.ts';
import { type Severity, severityRank } from '#domain/event/event.ts';

/** Counts of groups and events in none, as far as known. */
export interface WallCounts {
  readonly active: number;
  readonly critical: number;
  readonly acknowledged: number;
}

/** `7 active problems, 2 critical`. */
export const headline = ({ active, critical }: WallCounts): string => {
  if (active === 0) return 'No active problems';
  const said = count(active, 'active problem');
  if (critical === 0) return said;
  return active === 1 ? `${said}, critical` : `${said}, ${number(critical)} critical`;
};

export const headKind = ({ active, critical }: WallCounts): MarkKind => {
  if (critical > 0) return 'bad';
  return active > 0 ? 'caution' : 'good';
};

/** `3 acknowledged`; empty when none is. */
export const aside = ({ acknowledged }: WallCounts): string =>
  acknowledged === 0 ? '' : `${number(acknowledged)} acknowledged`;

interface Rated {
  readonly severity: Severity | null;
}
const rankOf = ({ severity }: Rated): number => (severity === null ? -1 : severityRank(severity));

/** Merges two lists, each with the worst first: within a severity unacknowledged ones are first. */
export const untouchedFirst = <Row extends Rated>(active: readonly Row[], acknowledged: readonly Row[]): Row[] =>
  [...active, ...acknowledged].sort((a, b) => rankOf(b) - rankOf(a));

const QUIET_MS = 3_600_000;
/** Duration of silence after which a feed may be broken. */
export const isSilent = (at: number | null, now: number): boolean => at !== null && now - at > QUIET_MS;

const SOON_MS = 14 * 86_400_000;
/** Advice before the credential of the screen ends; null while there is time. */
export const endWords = (endsAt: number | null, now: number): string | null => {
  if (endsAt === null || endsAt - now > SOON_MS) return null;
  return endsAt <= now ? 'This wallboard link has expired' : `This wallboard link expires in ${duration(endsAt - now)}`;
};

/** Few rows grow, so that they fill the screen. */
const MAX_GROWTH = 1.75;
export const growthFor = (height: number, rowHeight: number, rows: number): number =>
  rows === 0 || height === 0 ? 1 : Math.min(MAX_GROWTH, Math.max(1, height / (rows * rowHeight)));

/** Returns the number of rows of a height that fit; one at least. */
export const roomFor = (height: number, rowHeight: number, most: number): number =>
  Math.min(most, Math.max(1, Math.floor(height / rowHeight)));
