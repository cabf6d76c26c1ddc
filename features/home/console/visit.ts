/** Visits of one user in this browser; times in ms. */
export interface Visits {
  /** Latest activity. */
  readonly seen: number;
  /** End of the visit before; null: none is known. */
  readonly before: number | null;
}

/** A longer pause ends a visit. */
const PAUSE_MS = 30 * 60_000;

export const readVisits = (text: string | null): Visits | null => {
  try {
    const { seen, before } = JSON.parse(text ?? 'null') ?? {};
    if (typeof seen !== 'number') return null;
    return { seen, before: typeof before === 'number' ? before : null };
  } catch {
    return null;
  }
};

/** Returns the visits with activity now. */
export const visitedAt = (known: Visits | null, now: number): Visits => {
  if (known === null) return { seen: now, before: null };
  return { seen: now, before: now - known.seen > PAUSE_MS ? known.seen : known.before };
};

const PERIODS = ['visit', '12h', '24h'] as const;
export type HomePeriodName = (typeof PERIODS)[number];

const HOUR_MS = 3_600_000;
const MAX_MS = 7 * 24 * HOUR_MS;
const LENGTHS_MS = { '12h': 12 * HOUR_MS, '24h': 24 * HOUR_MS } as const;

/** Periods to choose from; the last visit is one within seven days. */
export const periodsOf = ({ before }: Visits, now: number): readonly HomePeriodName[] =>
  before === null || now - before > MAX_MS ? PERIODS.slice(1) : PERIODS;

/** Start of a period, ms. */
export const startOf = (period: HomePeriodName, { before }: Visits, now: number): number =>
  period === 'visit' ? (before ?? now) : now - LENGTHS_MS[period];
