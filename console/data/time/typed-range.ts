import { zonedMs } from '#console/text/zoned-time.ts';
import * as text from './texts.ts';

const MINUTE = 60_000;

/** Epoch ms as the address has them; null: open on that side. */
interface TypedRange {
  readonly from: string | null;
  readonly to: string | null;
}

const textOf = (ms: number | null): string | null => (ms === null ? null : String(ms));

/** The range typed into the two fields, in a zone; a text is its error. */
export const typedRange = (from: string, to: string, zone: string | null): TypedRange | string => {
  const [begin, end] = [zonedMs(from, zone), zonedMs(to, zone)];
  if (begin === null && end === null) return text.enterStartEndTime;
  if (begin !== null && end !== null && begin > end) return text.endMustBeAfter;
  // The minute that is named belongs to the range.
  return { from: textOf(begin), to: textOf(end === null ? null : end + MINUTE - 1) };
};
