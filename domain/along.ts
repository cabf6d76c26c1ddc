/**
 * A record that is kept together with a change: both or neither, also when the process dies in between. It is shown at once, or,
 * where stores are apart and one of them is down, within minutes. It is new: no other record has its id.
 */
export interface Along {
  readonly tenant: string;
  readonly kind: string;
  readonly id: string;
  readonly body: unknown;
  /** As of a put, ms. */
  readonly expiresAt?: number;
}
