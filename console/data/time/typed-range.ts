import { zonedMs } from '#console/words/zoned-time.ts';

const MINUTE = 60_000;

/** Epoch ms as the address has them; null: open on that side. */
interface Range {
  readonly from: string | null;
  readonly to: string | null;
}

const textOf = (ms: number | null): string | null => (ms === null ? null : String(ms));

/** The range typed into the two fields, in a zone; a text is its error. */
export const typedRange = (from: string, to: string, zone: string | null): Range | string => {
  const [begin, end] = [zonedMs(from, zone), zonedMs(to, zone)];
  if (begin === null && end === null) return 'Give a beginning or an end';
  if (begin !== null && end !== null && begin > end) return 'The end lies before the beginning';
  // The minute that is named belongs to the range.
  return { from: textOf(begin), to: textOf(end === null ? null : end + MINUTE - 1) };
};
