/**
 * A record stored together with a change: both or neither, also when the process dies. It is visible at once, or within minutes where one
 * of two stores is down. No other record has its id.
 */
export interface SideRecord {
  readonly tenant: string;
  readonly kind: string;
  readonly id: string;
  readonly body: unknown;
  /** Expiry as of a put, ms. */
  readonly expiresAt?: number;
}
