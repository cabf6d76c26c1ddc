export interface LimitState {
  readonly limit: number;
  readonly remaining: number;
  /** Epoch ms at which the window starts anew. */
  readonly resetAt: number;
  readonly allowed: boolean;
}

/** Fixed-window counters. */
export interface Limiter {
  /** Counts `cost` (default 1; negative gives back) in the window of `key`. */
  take(key: string, limit: number, windowMs: number, cost?: number): Promise<LimitState>;
}
