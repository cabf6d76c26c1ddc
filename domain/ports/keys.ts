/** Claims of an access token, as far as Faultline reads them. */
export interface AccessClaims {
  /** User id. */
  readonly sub: string;
  readonly tenant: string;
  readonly role: string;
  /** Version of the user's credentials; a token of an older version is no longer valid. */
  readonly ver: number;
}

export interface VerifiedClaims extends AccessClaims {
  /** Epoch ms. */
  readonly expiresAt: number;
}

/** Signs and checks access tokens (JWT, EdDSA). */
export interface Keys {
  /** Signed with the newest key; `ttl` in seconds. */
  sign(claims: AccessClaims, ttl: number): Promise<string>;
  /** The claims of a token signed with any of our keys and not expired; else null. */
  verify(token: string): Promise<VerifiedClaims | null>;
  /** Makes a new key and signs with it from now on; older keys still verify. */
  rotate(): Promise<void>;
}
