/** Claims of an access token, as far as Faultline reads them. */
interface AccessClaims {
  /** User id. */
  readonly sub: string;
  readonly tenant: string;
  readonly role: string;
  /** Version of the user's credentials; a token of an older version is no longer valid. */
  readonly ver: number;
  /** Session that it was given for. */
  readonly sid: string;
}

export interface VerifiedClaims extends AccessClaims {
  /** Epoch ms. */
  readonly expiresAt: number;
}

/** The target of a signed link, which needs no other credential. */
interface LinkClaims {
  /** Kind of page; a link of one kind opens no other. */
  readonly page: string;
  readonly tenant: string;
  /** Id of the resource shown. */
  readonly sub: string;
}

/** Signs and checks access tokens and links (JWT, EdDSA). */
export interface Keys {
  /** Signed with the newest key; `ttl` in seconds. */
  sign(claims: AccessClaims, ttl: number): Promise<string>;
  /** The claims of a token signed with any of our keys and not expired; else null. */
  verify(token: string): Promise<VerifiedClaims | null>;
  /** The query value of a link that opens for `ttl` seconds. */
  signLink(link: LinkClaims, ttl: number): Promise<string>;
  /** Returns the tenant if the value was signed for this page and resource and has not expired, else null. */
  verifyLink(value: string, link: Omit<LinkClaims, 'tenant'>): Promise<string | null>;
  /** Makes a new key and signs with it from now on; older keys still verify. */
  rotate(): Promise<void>;
}
