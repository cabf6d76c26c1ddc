/** Format of the values of a column or axis. Times and durations are ms, shares 0 to 1. */
export type ValueKind = 'text' | 'count' | 'decimal' | 'share' | 'duration' | 'time' | 'day';

/** Null: unknown, or empty. */
export type Cell = string | number | null;
