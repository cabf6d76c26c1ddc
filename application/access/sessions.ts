import { ACCESS_KINDS, type ConsoleSession, type SessionRecord, type UserRecord } from '#domain/access/records.ts';
import { Fault, isOvertaken } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { RefusedCredential } from '#domain/refused-credential.ts';

/** Seconds (docs/specification.md §15); a refresh token counts from its last use. */
export const ACCESS_TTL_S = 900;
export const REFRESH_TTL_S = 30 * 86_400;
/** Time for which two tabs that refresh at once, or a client that missed the reply, get the same token again. */
export const REFRESH_GRACE_MS = 10_000;
/** Lifetime of a console session whose browser was never closed. */
const CONSOLE_TTL_S = 7 * 86_400;
/** Time for which the previous cookie returns an access token, and no other cookie: tabs renew without coordination. */
const CONSOLE_GRACE_MS = 30_000;

const PREFIX = 'flr_';
const FAMILY_CHARACTERS = 20;
const CURRENT_CHARACTERS = 30;
const SALT_CHARACTERS = 30;
/** flr_ + family id + the family's secret + the secret of this use. */
const SHAPE = /^flr_([0-9A-Z]{26})([0-9A-Za-z]{20})([0-9A-Za-z]{30})$/;

type SessionPorts = Pick<Ports, 'records' | 'clock' | 'ids' | 'crypto' | 'keys' | 'memory'>;
export interface Issued {
  readonly token: string;
  readonly refreshToken: string;
  /** Seconds. */
  readonly expiresIn: number;
  readonly tenant: string;
  readonly user: UserRecord;
}
interface SessionMatch {
  readonly id: string;
  readonly revision: number;
  readonly session: SessionRecord;
  readonly familySecret: string;
  /** Secret of the use that was presented. */
  readonly secret: string;
}

const unusable = (refused: RefusedCredential = { reason: 'session' }) =>
  new Fault('unauthenticated', 'Invalid or expired refresh token. Sign in again.', [], { refused });
const reused = ({ tenant, user }: SessionRecord) => unusable({ reason: 'reused', tenant, credentialId: user });

interface TokenOf {
  readonly sid: string;
  readonly tenant: string;
  readonly user: UserRecord;
}
const accessToken = (ports: SessionPorts, { sid, tenant, user: { id, role, version } }: TokenOf): Promise<string> =>
  ports.keys.sign({ sub: id, tenant, role, ver: version, sid }, ACCESS_TTL_S);

const tokenOf = (id: string, familySecret: string, secret: string): string => `${PREFIX}${id}${familySecret}${secret}`;

const save = async ({ records, clock }: SessionPorts, id: string, body: SessionRecord, expected: number) => {
  const seconds = body.console?.remember === false ? CONSOLE_TTL_S : REFRESH_TTL_S;
  const expiresAt = clock.now() + seconds * 1_000;
  await records.put(SYSTEM_TENANT, ACCESS_KINDS.session, id, body, { expected, expiresAt });
};

/** Cannot be derived from the token before it without the salt, which never leaves the store. */
const nextSecret = ({ crypto }: SessionPorts, { familySecret, secret }: SessionMatch, salt: string): string =>
  crypto.sha256(`${familySecret}:${secret}:${salt}`).slice(0, CURRENT_CHARACTERS);

/** Replaces the current token of a family; returns the new one. */
const rotate = async (ports: SessionPorts, found: SessionMatch): Promise<string> => {
  const { crypto, clock, ids } = ports;
  const salt = ids.secret(SALT_CHARACTERS);
  const secret = nextSecret(ports, found, salt);
  const grace = found.session.console === undefined ? REFRESH_GRACE_MS : CONSOLE_GRACE_MS;
  const replaced = { hash: crypto.sha256(found.secret), salt, until: clock.now() + grace };
  await save(ports, found.id, { ...found.session, currentHash: crypto.sha256(secret), replaced }, found.revision);
  return tokenOf(found.id, found.familySecret, secret);
};

/** Starts a family of refresh tokens. */
export const openSession = async (
  ports: SessionPorts,
  tenant: string,
  user: UserRecord,
  console?: ConsoleSession,
): Promise<Issued> => {
  const { ids, crypto, clock } = ports;
  const [id, familySecret, secret] = [ids.ulid(), ids.secret(FAMILY_CHARACTERS), ids.secret(CURRENT_CHARACTERS)];
  const hashes = { familyHash: crypto.sha256(familySecret), currentHash: crypto.sha256(secret) };
  const session = { tenant, user: user.id, version: user.version, ...hashes, createdAt: clock.now() };
  await save(ports, id, console === undefined ? session : { ...session, console }, 0);
  const refreshToken = tokenOf(id, familySecret, secret);
  const token = await accessToken(ports, { sid: id, tenant, user });
  return { token, refreshToken, expiresIn: ACCESS_TTL_S, tenant, user };
};

/** The family a token belongs to; null unless the token carries the family's secret. */
const find = async ({ records, crypto }: SessionPorts, refreshToken: string): Promise<SessionMatch | null> => {
  const match = SHAPE.exec(refreshToken);
  if (match === null) return null;
  const [, id = '', familySecret = '', secret = ''] = match;
  const stored = await records.get<SessionRecord>(SYSTEM_TENANT, ACCESS_KINDS.session, id);
  if (stored === null || stored.body.familyHash !== crypto.sha256(familySecret)) return null;
  return { id, revision: stored.revision, session: stored.body, familySecret, secret };
};

/** Its access tokens go with it: at once in this process, within five seconds in the others. */
const revoke = async ({ records, memory }: SessionPorts, id: string): Promise<void> => {
  await records.remove(SYSTEM_TENANT, ACCESS_KINDS.session, id);
  memory.callers.clear();
};

/** Returns the user of a session, if still the same as at its login. */
const userOf = async ({ records }: SessionPorts, { tenant, user: id, version }: SessionRecord) => {
  const [user, home] = await Promise.all([
    records.get<UserRecord>(tenant, ACCESS_KINDS.user, id),
    records.get<{ disabled: boolean }>(SYSTEM_TENANT, ACCESS_KINDS.tenant, tenant),
  ]);
  if (user === null || user.body.disabled || user.body.version !== version) return null;
  return home === null || home.body.disabled ? null : user.body;
};

/** The token that follows a presented one; null when that one is neither current nor just replaced: it was used before. */
const following = async (ports: SessionPorts, found: SessionMatch): Promise<string | null> => {
  const hash = ports.crypto.sha256(found.secret);
  const { currentHash, replaced } = found.session;
  if (hash === currentHash) return rotate(ports, found);
  if (replaced?.hash !== hash || ports.clock.now() >= replaced.until) return null;
  return tokenOf(found.id, found.familySecret, nextSecret(ports, found, replaced.salt));
};

const exchange = async (ports: SessionPorts, refreshToken: string): Promise<Issued> => {
  const found = await find(ports, refreshToken);
  if (found === null || found.session.console !== undefined) throw unusable();
  const user = await userOf(ports, found.session);
  const next = user === null ? null : await following(ports, found);
  if (user === null || next === null) {
    await revoke(ports, found.id);
    throw user === null ? unusable() : reused(found.session);
  }
  const { tenant } = found.session;
  const token = await accessToken(ports, { sid: found.id, tenant, user });
  return { token, refreshToken: next, expiresIn: ACCESS_TTL_S, tenant, user };
};

/**
 * Exchanges a refresh token for new tokens: within the grace it returns the same again, later it ends the whole family.
 */
export const refreshSession = async (ports: SessionPorts, refreshToken: string): Promise<Issued> => {
  try {
    return await exchange(ports, refreshToken);
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    // Another request used it at the same moment, so it is the previous one now.
    return exchange(ports, refreshToken);
  }
};

/** Variant of `Issued`; an absent refresh token leaves the cookie unchanged. */
export interface Renewed extends Omit<Issued, 'refreshToken'> {
  readonly refreshToken: string | null;
  readonly console: ConsoleSession;
}

const renew = async (ports: SessionPorts, refreshToken: string): Promise<Renewed> => {
  const found = await find(ports, refreshToken);
  const console = found?.session.console;
  if (found === null || console === undefined) throw unusable();
  const { tenant, currentHash } = found.session;
  const user = await userOf(ports, found.session);
  const isCurrent = ports.crypto.sha256(found.secret) === currentHash;
  const next = user === null ? null : await following(ports, found);
  if (user === null || next === null) {
    await revoke(ports, found.id);
    throw user === null ? unusable() : reused(found.session);
  }
  const token = await accessToken(ports, { sid: found.id, tenant, user });
  return { token, refreshToken: isCurrent ? next : null, expiresIn: ACCESS_TTL_S, tenant, user, console };
};

/**
 * Exchanges the refresh token of a console's cookie; the previous one returns an access token for a while, later it
 * ends the family.
 */
export const renewConsole = async (ports: SessionPorts, refreshToken: string): Promise<Renewed> => {
  try {
    return await renew(ports, refreshToken);
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    return renew(ports, refreshToken);
  }
};

/** Ends the family of a refresh token and returns it; an unknown one changes nothing. */
export const closeSession = async (ports: SessionPorts, refreshToken: string): Promise<SessionRecord | null> => {
  const found = await find(ports, refreshToken);
  if (found !== null) await revoke(ports, found.id);
  return found?.session ?? null;
};
