/** Values a tenant's next one is compared with. */
export const SCALE_VALUES = 1_000;
/** Weight of the curve that stands for values that a young tenant has not seen. */
const PRIOR = 100;
const USUAL_AT_MOST = 0.2;
const YOUNG_AT_MOST = 0.5;
const YOUNG_DAYS = 1;

/** The newest strangeness values of the tenant: in ascending order, and in order of arrival. */
export interface AnomalyScale {
  readonly newest: readonly number[];
}

/** Stored with all that precede it for each batch: the digits beyond would be most of the text. */
const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

const below = (newest: readonly number[], value: number): number => {
  let count = 0;
  for (const other of newest) if (other < value) count += 1;
  return count;
};

/** Share of the tenant's last values that were less strange: at 0.95, one in twenty was as strange. */
export const scoreOf = (value: number, { newest }: AnomalyScale): number =>
  (below(newest, rounded(value)) + PRIOR * (1 - Math.exp(-value / 2))) / (newest.length + PRIOR + 1);

/** A usual complaint, or one of a tenant known for less than a day, is never called unusual. */
export const boundedScore = (
  score: number,
  { usual, days }: { readonly usual: boolean; readonly days: number },
): number => Math.min(score, usual ? USUAL_AT_MOST : 1, days < YOUNG_DAYS ? YOUNG_AT_MOST : 1);

export const withValue = ({ newest }: AnomalyScale, value: number): AnomalyScale => ({
  newest: [...newest, rounded(value)].slice(-SCALE_VALUES),
});

export const isYoung = (days: number): boolean => days < YOUNG_DAYS;
