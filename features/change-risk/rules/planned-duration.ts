import { itemAt } from '#domain/assert.ts';

const MINUTE = 60_000;
/** Minutes per unit. */
const UNITS = { d: 1_440, h: 60, m: 1 };
const MAX_MS = 90 * 24 * 60 * MINUTE;

const SHORT = /^(?:(\d{1,5}(?:\.\d{1,3})?) ?d)? ?(?:(\d{1,5}(?:\.\d{1,3})?) ?h)? ?(?:(\d{1,6}) ?m(?:in)?)?$/i;
const ISO = /^P(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,7})S)?)?$/i;
const MINUTES = /^\d{1,6}$/;

const summed = (counts: readonly (string | undefined)[], minutes: readonly number[]): number | null =>
  counts.every((count) => count === undefined)
    ? null
    : counts.reduce((sum, count, i) => sum + Number(count ?? 0) * itemAt(minutes, i), 0);

function minutesOf(text: string): number | null {
  if (MINUTES.test(text)) return Number(text);
  const iso = ISO.exec(text);
  if (iso !== null) return summed(iso.slice(1), [7 * UNITS.d, UNITS.d, UNITS.h, UNITS.m, 1 / 60]);
  const short = SHORT.exec(text);
  return short === null ? null : summed(short.slice(1), [UNITS.d, UNITS.h, UNITS.m]);
}

/** Milliseconds of `2h30m`, `PT2H30M` or a number of minutes; null for anything else, nothing, and more than 90 days. */
export function plannedDuration(text: string): number | null {
  const minutes = minutesOf(text.trim());
  if (minutes === null) return null;
  const ms = Math.round(minutes * MINUTE);
  return ms > 0 && ms <= MAX_MS ? ms : null;
}
