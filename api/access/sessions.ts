import { ACCESS_KINDS, type SessionRecord, type UserRecord } from '#domain/access/records.ts';
import type { RefusedCredential } from '#domain/access/refusal.ts';
import { Fault, isOvertaken } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';

/** Seconds. Rulings: access 15 min, refresh 30 days from its last use. */
export const ACCESS_TTL_S = 900;
export const REFRESH_TTL_S = 30 * 86_400;

const PREFIX = 'flr_';
const FAMILY_CHARACTERS = 20;
const CURRENT_CHARACTERS = 30;
/** flr_ + family id + the family's secret + the secret of this use. */
const SHAPE = /^flr_([0-9A-Z]{26})([0-9A-Za-z]{20})([0-9A-Za-z]{30})$/;

type SessionPorts = Pick<Ports, 'records' | 'clock' | 'ids' | 'crypto' | 'keys'>;
export interface Issued {
  readonly token: string;
  readonly refreshToken: string;
  /** Seconds. */
  readonly expiresIn: number;
  readonly tenant: string;
  readonly user: UserRecord;
}
interface Found {
  readonly id: string;
  readonly revision: number;
  readonly session: SessionRecord;
  readonly familySecret: string;
  /** The token was already used: somebody else has it. */
  readonly reused: boolean;
}

const unusable = (refused: RefusedCredential = { reason: 'session' }) =>
  new Fault('unauthenticated', 'The refresh token is not valid', [], { refused });
const reused = ({ tenant, user }: SessionRecord) => unusable({ reason: 'reused', tenant, credentialId: user });

const accessToken = (ports: SessionPorts, tenant: string, { id, role, version }: UserRecord): Promise<string> =>
  ports.keys.sign({ sub: id, tenant, role, ver: version }, ACCESS_TTL_S);

const write = async (
  { records, clock, ids, crypto }: SessionPorts,
  id: string,
  familySecret: string,
  session: Omit<SessionRecord, 'familyHash' | 'currentHash'>,
  expected: number,
): Promise<string> => {
  const secret = ids.secret(CURRENT_CHARACTERS);
  const body: SessionRecord = {
    ...session,
    familyHash: crypto.sha256(familySecret),
    currentHash: crypto.sha256(secret),
  };
  const expiresAt = clock.now() + REFRESH_TTL_S * 1_000;
  await records.put(SYSTEM_TENANT, ACCESS_KINDS.session, id, body, { expected, expiresAt });
  return `${PREFIX}${id}${familySecret}${secret}`;
};

/** Starts a family of refresh tokens. */
export const openSession = async (ports: SessionPorts, tenant: string, user: UserRecord): Promise<Issued> => {
  const session = { tenant, user: user.id, version: user.version, createdAt: ports.clock.now() };
  const refreshToken = await write(ports, ports.ids.ulid(), ports.ids.secret(FAMILY_CHARACTERS), session, 0);
  return { token: await accessToken(ports, tenant, user), refreshToken, expiresIn: ACCESS_TTL_S, tenant, user };
};

/** The family a token belongs to; null unless the token carries the family's secret. */
const find = async ({ records, crypto }: SessionPorts, refreshToken: string): Promise<Found | null> => {
  const match = SHAPE.exec(refreshToken);
  if (match === null) return null;
  const [, id, familySecret, secret] = match as unknown as [string, string, string, string];
  const stored = await records.get<SessionRecord>(SYSTEM_TENANT, ACCESS_KINDS.session, id);
  if (stored === null || stored.body.familyHash !== crypto.sha256(familySecret)) return null;
  const reused = stored.body.currentHash !== crypto.sha256(secret);
  return { id, revision: stored.revision, session: stored.body, familySecret, reused };
};

const revoke = async ({ records }: SessionPorts, id: string): Promise<void> => {
  await records.remove(SYSTEM_TENANT, ACCESS_KINDS.session, id);
};

/** The user of a session, if still the one that logged in. */
const userOf = async ({ records }: SessionPorts, { tenant, user: id, version }: SessionRecord) => {
  const [user, home] = await Promise.all([
    records.get<UserRecord>(tenant, ACCESS_KINDS.user, id),
    records.get<{ disabled: boolean }>(SYSTEM_TENANT, ACCESS_KINDS.tenant, tenant),
  ]);
  if (user === null || user.body.disabled || user.body.version !== version) return null;
  return home === null || home.body.disabled ? null : user.body;
};

/** New tokens for a refresh token, which is used up. Using it twice ends the whole family. */
export const refreshSession = async (ports: SessionPorts, refreshToken: string): Promise<Issued> => {
  const found = await find(ports, refreshToken);
  if (found === null) throw unusable();
  const user = found.reused ? null : await userOf(ports, found.session);
  if (user === null) {
    await revoke(ports, found.id);
    throw found.reused ? reused(found.session) : unusable();
  }
  try {
    const next = await write(ports, found.id, found.familySecret, found.session, found.revision);
    const { tenant } = found.session;
    return { token: await accessToken(ports, tenant, user), refreshToken: next, expiresIn: ACCESS_TTL_S, tenant, user };
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    // Two requests used it at the same moment, which is a reuse as well.
    await revoke(ports, found.id);
    throw reused(found.session);
  }
};

/** Ends the family of a refresh token and returns it; an unknown one changes nothing. */
export const closeSession = async (ports: SessionPorts, refreshToken: string): Promise<SessionRecord | null> => {
  const found = await find(ports, refreshToken);
  if (found !== null) await revoke(ports, found.id);
  return found?.session ?? null;
};
