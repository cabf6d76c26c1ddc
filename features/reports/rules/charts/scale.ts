import type { ValueKind } from '#features/reports/rules/values/value.ts';

interface Scale {
  /** Value at the end of the axis. */
  readonly top: number;
  readonly ticks: readonly number[];
}

const WHOLE_STEPS = [1, 2, 5, 10] as const;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const SPANS_MS = [
  1_000,
  2_000,
  5_000,
  10_000,
  15_000,
  30_000,
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR_MS),
  ...[1, 2, 5, 10, 20, 50, 100, 200].map((n) => n * DAY_MS),
];
const TICKS = 5;

/** Returns the smallest of 1, 2 and 5 times a power of ten that is at least this large. */
const roundStep = (least: number): number => {
  const power = 10 ** Math.floor(Math.log10(least));
  return (WHOLE_STEPS.find((step) => step * power >= least * (1 - 1e-9)) ?? 10) * power;
};

const stepOf = (most: number, kind: ValueKind): number => {
  const least = most / TICKS;
  if (kind === 'duration') return SPANS_MS.find((span) => span >= least) ?? roundStep(least / DAY_MS) * DAY_MS;
  return kind === 'count' ? Math.max(1, roundStep(least)) : roundStep(least);
};

/** Returns an axis from 0 with up to six round marks. */
export const scaleTo = (most: number, kind: ValueKind): Scale => {
  if (!(most > 0)) return { top: 1, ticks: [0] };
  const step = stepOf(most, kind);
  const marks = Math.max(1, Math.ceil(most / step - 1e-9));
  return { top: marks * step, ticks: Array.from({ length: marks + 1 }, (_, n) => n * step) };
};
