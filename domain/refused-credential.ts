/**
 * Reasons to refuse a request. The caller receives the same message for most of them; the log and the counter
 * `faultline_credentials_refused_total` have the reason.
 */
export const REFUSALS = [
  /** The request has no credential, or one of an unknown form. */
  'missing',
  /** No token has this value, or the token ended more than 30 days ago. */
  'unknown',
  'expired',
  'revoked',
  /** An earlier value of a rotated token, after the overlap. */
  'rotated',
  /** A JWT that expired, or whose user was changed, disabled or removed. */
  'session',
  /** A refresh token that was used before, which ends its login. */
  'reused',
  /** A login with a wrong password or an unknown user. */
  'password',
  /** `?token=` with a token that can do more than post to webhooks. */
  'query',
  /** A JWT as a Basic password. */
  'basic',
  /** The tenant is disabled, deleted, or not the caller's. */
  'tenant',
  /** The credential is valid and lacks the permission. */
  'scope',
] as const;
type Refusal = (typeof REFUSALS)[number];

/** Details for log and counter only; never for the caller. */
export interface RefusedCredential {
  readonly reason: Refusal;
  /** Id of the token, or the user of a JWT; never the value. */
  readonly credentialId?: string;
  readonly tenant?: string;
}
