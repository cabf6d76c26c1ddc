/** Longer ones are none of ours. */
const MAX_CHARACTERS = 4_096;
const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i;
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** The credential of the caller: `query` only for tokens made for that, `basic` only for API tokens. */
export interface PresentedCredential {
  readonly secret: string;
  readonly via: 'bearer' | 'basic' | 'query';
}

const passwordOf = (encoded: string): string | null => {
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon === -1 ? null : text.slice(colon + 1);
};

const isBearer = (header: string): boolean => header.length > 7 && header.slice(0, 7).toLowerCase() === 'bearer ';

/** The credential of a request, or null. A header outweighs `?token=`. */
export const presentedCredential = (credentials: RequestCredentials): PresentedCredential | null => {
  const { authorization, queryToken, lenient } = credentials;
  if (authorization !== undefined) {
    if (authorization.length > MAX_CHARACTERS) return null;
    if (isBearer(authorization)) return { secret: authorization.slice(7).trim(), via: 'bearer' };
    const basic = lenient ? BASIC.exec(authorization) : null;
    const password = basic?.[1] === undefined ? null : passwordOf(basic[1]);
    return password === null ? null : { secret: password, via: 'basic' };
  }
  return lenient && queryToken !== undefined && queryToken.length <= MAX_CHARACTERS
    ? { secret: queryToken, via: 'query' }
    : null;
};

/** Whether a bearer credential has the form of a JWT; an API token may have it too and is looked up then. */
export const looksLikeJwt = (secret: string): boolean => JWT.test(secret);

/** Credentials of a request. */
export interface RequestCredentials {
  readonly authorization: string | undefined;
  /** `?token=`, on endpoints with lenient credentials only. */
  readonly queryToken: string | undefined;
  /** X-Tenant-ID. */
  readonly tenantHeader: string | undefined;
  readonly lenient: boolean;
  readonly address: string;
}
