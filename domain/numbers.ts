/** Rounds to three decimal places, as shares and scores are shown. */
export const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

/** A share of one in whole percent: `76%`. */
export const percent = (share: number): string => `${Math.round(share * 100)}%`;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const parts = (ms: number, large: number, small: number, units: readonly [string, string]): string => {
  const all = Math.round(ms / small);
  const rest = all % (large / small);
  return `${Math.floor((all * small) / large)}${units[0]}${rest === 0 ? '' : ` ${rest}${units[1]}`}`;
};

/** Returns a rounded duration for sentences: `12s`, `90s`, `4m`, `2h 39m`, `3d 4h`. */
export const durationText = (ms: number): string => {
  if (ms < 2 * MINUTE) return `${Math.round(ms / SECOND)}s`;
  if (Math.round(ms / MINUTE) < 60) return `${Math.round(ms / MINUTE)}m`;
  return ms < DAY - MINUTE / 2 ? parts(ms, HOUR, MINUTE, ['h', 'm']) : parts(ms, DAY, HOUR, ['d', 'h']);
};
