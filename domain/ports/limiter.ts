export interface LimitState {
  readonly limit: number;
  readonly remaining: number;
  /** Epoch ms at which the window restarts. */
  readonly resetAt: number;
  readonly allowed: boolean;
}

/** Fixed-window counters. */
export interface Limiter {
  /** Counts `cost` (default 1; negative returns it) in the window of `key`. */
  take(key: string, limit: number, windowMs: number, cost?: number): Promise<LimitState>;
}
