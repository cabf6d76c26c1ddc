import type { AddressSearch } from '#console/hooks/use-address.ts';
import { parseTime } from '#domain/texts/time-text.ts';
import type { ListedRange } from './api.ts';

const DAY_MS = 86_400_000;
/** Ranges that end now. */
const PAST: ReadonlyMap<string, number> = new Map([
  ['24h', DAY_MS],
  ['7d', 7 * DAY_MS],
  ['30d', 30 * DAY_MS],
]);

/** The range of an address, ms; without one that of the server: 30 days ago to 90 days ahead. */
export const rangeOf = ({ time, from, to }: AddressSearch, now: number): ListedRange => {
  const length = PAST.get(time ?? '');
  if (length !== undefined) return { from: now - length, to: now };
  if (time === 'upcoming') return { from: now };
  const [begin, end] = [parseTime(from ?? ''), parseTime(to ?? '')];
  return { ...(begin !== null && { from: begin }), ...(end !== null && { to: end }) };
};
