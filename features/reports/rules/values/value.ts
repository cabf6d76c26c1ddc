/** How the values of a column or axis are written. Times and durations are ms, shares 0 to 1. */
export type ValueKind = 'text' | 'count' | 'decimal' | 'share' | 'duration' | 'time' | 'day';

/** Null: not known, or nothing to say. */
export type Cell = string | number | null;
