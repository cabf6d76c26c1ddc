/**
 * A record that is stored together with a change: both or neither, also when the process dies in between. It is visible at once, or,
 * where one of two stores is down, within minutes. It is new: no other record has its id.
 */
export interface SideRecord {
  readonly tenant: string;
  readonly kind: string;
  readonly id: string;
  readonly body: unknown;
  /** As of a put, ms. */
  readonly expiresAt?: number;
}
