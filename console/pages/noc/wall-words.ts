import type { MarkKind } from '#console/facts/mark/kinds.ts';
import { count, number } from '#console/words/counts.ts';
import { duration } from '#console/words/times.ts';
import { type Severity, severityRank } from '#domain/event/event.ts';

/** How many groups and events in none there are, as far as it is known. */
export interface Counts {
  readonly active: number;
  readonly critical: number;
  readonly acknowledged: number;
}

/** `7 active problems, 2 critical`. */
export const headline = ({ active, critical }: Counts): string => {
  if (active === 0) return 'No active problems';
  const said = count(active, 'active problem');
  if (critical === 0) return said;
  return active === 1 ? `${said}, critical` : `${said}, ${number(critical)} critical`;
};

export const headKind = ({ active, critical }: Counts): MarkKind => {
  if (critical > 0) return 'bad';
  return active > 0 ? 'caution' : 'good';
};

/** `3 acknowledged`; empty when none is. */
export const aside = ({ acknowledged }: Counts): string =>
  acknowledged === 0 ? '' : `${number(acknowledged)} acknowledged`;

interface Rated {
  readonly severity: Severity | null;
}
const rankOf = ({ severity }: Rated): number => (severity === null ? -1 : severityRank(severity));

/** Two lists, each with the worst first, as one: of a severity those that nobody has acknowledged come first. */
export const untouchedFirst = <Row extends Rated>(active: readonly Row[], acknowledged: readonly Row[]): Row[] =>
  [...active, ...acknowledged].sort((a, b) => rankOf(b) - rankOf(a));

const QUIET_MS = 3_600_000;
/** A feed that is silent for so long may be broken. */
export const isSilent = (at: number | null, now: number): boolean => at !== null && now - at > QUIET_MS;

const SOON_MS = 14 * 86_400_000;
/** Advice before the credential of the screen ends; null while there is time. */
export const endWords = (endsAt: number | null, now: number): string | null => {
  if (endsAt === null || endsAt - now > SOON_MS) return null;
  return endsAt <= now
    ? 'The link of this screen has ended'
    : `The link of this screen ends in ${duration(endsAt - now)}`;
};

/** How many rows of a height have room; one at least. */
export const roomFor = (height: number, rowHeight: number, most: number): number =>
  Math.min(most, Math.max(1, Math.floor(height / rowHeight)));
