import {
  type CryptoKey,
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
  SignJWT,
} from 'jose';
import type { Clock } from '#domain/ports/clock.ts';
import type { Ids } from '#domain/ports/ids.ts';
import type { Keys, VerifiedClaims } from '#domain/ports/keys.ts';
import { type RecordStore, SYSTEM_TENANT } from '#domain/ports/record-store.ts';

const KIND = 'signing-key';
const ISSUER = 'faultline';
const ALGORITHM = 'EdDSA';
const KEY_ID = /^[0-9A-Z]{26}$/;

interface KeyRecord {
  readonly publicKey: JWK;
  readonly privateKey: JWK;
  readonly createdAt: number;
}
interface SigningKey {
  readonly kid: string;
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
}
interface KeyPorts {
  readonly records: RecordStore;
  readonly clock: Clock;
  readonly ids: Ids;
}

const imported = async (kid: string, record: KeyRecord): Promise<SigningKey> => ({
  kid,
  publicKey: (await importJWK(record.publicKey, ALGORITHM)) as CryptoKey,
  privateKey: (await importJWK(record.privateKey, ALGORITHM)) as CryptoKey,
});

const generate = async ({ records, clock, ids }: KeyPorts): Promise<SigningKey> => {
  const made = await generateKeyPair(ALGORITHM, { crv: 'Ed25519', extractable: true });
  const [publicKey, privateKey] = await Promise.all([exportJWK(made.publicKey), exportJWK(made.privateKey)]);
  const record: KeyRecord = { publicKey, privateKey, createdAt: clock.now() };
  const kid = ids.ulid();
  await records.put(SYSTEM_TENANT, KIND, kid, record, { expected: 0 });
  return imported(kid, record);
};

const newest = async (source: KeyPorts): Promise<SigningKey> => {
  const [stored] = await source.records.list<KeyRecord>(SYSTEM_TENANT, KIND, { limit: 1, descending: true });
  return stored === undefined ? generate(source) : imported(stored.id, stored.body);
};

const claimsOf = ({ sub, tenant, role, ver, sid, exp }: JWTPayload): VerifiedClaims | null =>
  typeof sub === 'string' &&
  typeof tenant === 'string' &&
  typeof role === 'string' &&
  typeof ver === 'number' &&
  typeof sid === 'string'
    ? { sub, tenant, role, ver, sid, expiresAt: (exp ?? 0) * 1_000 }
    : null;

/**
 * Keys stored in the record store under their kid; the first one is made at first start. Another process's key is
 * loaded at its first use.
 */
export const openKeys = async (source: KeyPorts): Promise<Keys> => {
  let current = await newest(source);
  const known = new Map([[current.kid, current]]);

  const pairOf = async (kid: string | undefined): Promise<SigningKey> => {
    if (kid === undefined || !KEY_ID.test(kid)) throw new errors.JWSInvalid('no usable kid');
    const found = known.get(kid);
    if (found !== undefined) return found;
    const stored = await source.records.get<KeyRecord>(SYSTEM_TENANT, KIND, kid);
    if (stored === null) throw new errors.JWSInvalid('unknown kid');
    const pair = await imported(kid, stored.body);
    known.set(kid, pair);
    return pair;
  };
  const now = () => new Date(source.clock.now());
  const signed = (payload: JWTPayload, ttl: number): SignJWT =>
    new SignJWT(payload)
      .setProtectedHeader({ alg: ALGORITHM, kid: current.kid })
      .setIssuer(ISSUER)
      .setIssuedAt(now())
      // Two tokens of one second are two tokens.
      .setJti(source.ids.ulid())
      .setExpirationTime(new Date(source.clock.now() + ttl * 1_000));
  /** Null for a bad or expired token; a store that is down is not a bad token. */
  const opened = async (token: string, options: JWTVerifyOptions = {}): Promise<JWTPayload | null> => {
    try {
      const key = async (header: JWTHeaderParameters) => (await pairOf(header.kid)).publicKey;
      const all = { issuer: ISSUER, algorithms: [ALGORITHM], currentDate: now(), requiredClaims: ['exp'], ...options };
      return (await jwtVerify(token, key, all)).payload;
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  };

  return {
    sign: (claims, ttl) => signed({ ...claims }, ttl).sign(current.privateKey),
    async verify(token) {
      const payload = await opened(token);
      return payload === null ? null : claimsOf(payload);
    },
    signLink: ({ page, tenant, sub }, ttl) => signed({ tenant, sub }, ttl).setAudience(page).sign(current.privateKey),
    async verifyLink(value, { page, sub }) {
      const payload = await opened(value, { audience: page, subject: sub });
      return typeof payload?.tenant === 'string' ? payload.tenant : null;
    },
    async rotate() {
      current = await generate(source);
      known.set(current.kid, current);
    },
  };
};
