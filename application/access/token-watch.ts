import { recordChunks } from '#application/records/list-records.ts';
import { EXPIRY_WARNING_MS } from '#domain/access/expiry.ts';
import { ACCESS_KINDS, type CredentialRecord, type TokenKind, type TokenRecord } from '#domain/access/records.ts';
import type { HealthCheck } from '#domain/ports/health.ts';
import type { Log } from '#domain/ports/log.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';

const DAY_MS = 86_400_000;
const WARNED_DAYS = EXPIRY_WARNING_MS / DAY_MS;
/** Maximum of values per check. */
const MAX_VALUES = 100_000;
/** Tokens named in one line of the log. */
const MAX_NAMED = 20;
const KINDS: readonly TokenKind[] = ['api_key', 'service_account', 'integration', 'discovery'];

export interface TokenWatch {
  /** Counts tokens by state, sets the measurements, and warns at most once a day. */
  look(): Promise<void>;
  /** Check for `/readyz?verbose`; it names no token, as the page needs no credential. */
  check(): HealthCheck;
}

type Expiring = Pick<TokenRecord, 'id' | 'name' | 'lastUsedAt'> & {
  readonly tenant: string;
  readonly expiresAt: number;
};
interface TokenTally {
  readonly states: Record<'active' | 'expiring' | 'expired', number>;
  readonly firstExpiry: Map<TokenKind, number>;
  readonly expiring: Expiring[];
}
type WatchPorts = Pick<Ports, 'records' | 'clock' | 'metrics'>;
type TokenExpiry = Pick<TokenRecord, 'kind' | 'expiresAt'>;

/** Yields one value of each token. Tokens that expire soon are read for their time. */
async function* tokensOf({ records, clock }: WatchPorts) {
  const told = new Set<string>();
  for await (const chunk of recordChunks<CredentialRecord>(records, SYSTEM_TENANT, ACCESS_KINDS.credential)) {
    for (const { body } of chunk) {
      const { tenant, token: id, kind, expiresAt, ended } = body;
      const key = `${tenant}/${id}`;
      if (ended !== undefined || told.has(key)) continue;
      told.add(key);
      const isFar = expiresAt === null || expiresAt > clock.now() + EXPIRY_WARNING_MS;
      const known: TokenExpiry | null = isFar ? { kind, expiresAt } : null;
      const token = known ?? (await records.get<TokenRecord>(tenant, ACCESS_KINDS.token, id))?.body;
      if (token !== undefined) yield { tenant, token };
    }
    if (told.size >= MAX_VALUES) return;
  }
}

const note = (seen: TokenTally, tenant: string, token: TokenExpiry | TokenRecord, now: number): void => {
  const { kind, expiresAt } = token;
  if (expiresAt === null) seen.states.active += 1;
  else if (expiresAt <= now) seen.states.expired += 1;
  else {
    seen.firstExpiry.set(kind, Math.min(expiresAt, seen.firstExpiry.get(kind) ?? expiresAt));
    if (expiresAt > now + EXPIRY_WARNING_MS || !('id' in token)) seen.states.active += 1;
    else {
      seen.states.expiring += 1;
      const { id, name, lastUsedAt } = token;
      seen.expiring.push({ id, name, lastUsedAt, tenant, expiresAt });
    }
  }
};

const measure = ({ metrics }: WatchPorts, { states, firstExpiry }: TokenTally): void => {
  for (const [state, count] of Object.entries(states)) metrics.gauge('faultline_tokens', { state }, count);
  for (const kind of KINDS) {
    const first = firstExpiry.get(kind);
    const seconds = first === undefined ? Number.POSITIVE_INFINITY : first / 1000;
    metrics.gauge('faultline_token_first_expiry_timestamp_seconds', { kind }, seconds);
  }
};

const isoOf = (ms: number): string => new Date(ms).toISOString();

const named = ({ id, name, tenant, expiresAt, lastUsedAt }: Expiring) => ({
  credentialId: id,
  name,
  tenant,
  expiresAt: isoOf(expiresAt),
  lastUsedAt: lastUsedAt === null ? null : isoOf(lastUsedAt),
});

export const openTokenWatch = (ports: WatchPorts, log: Pick<Log, 'warn'>): TokenWatch => {
  let expiring: readonly Expiring[] = [];
  let warnedAt = Number.NEGATIVE_INFINITY;
  return {
    async look() {
      const now = ports.clock.now();
      const seen: TokenTally = { states: { active: 0, expiring: 0, expired: 0 }, firstExpiry: new Map(), expiring: [] };
      for await (const { tenant, token } of tokensOf(ports)) note(seen, tenant, token, now);
      measure(ports, seen);
      expiring = seen.expiring.sort((a, b) => a.expiresAt - b.expiresAt);
      if (expiring.length === 0 || now - warnedAt < DAY_MS) return;
      warnedAt = now;
      const tokens = expiring.slice(0, MAX_NAMED).map(named);
      log.warn({ count: expiring.length, tokens }, `tokens expire within ${WARNED_DAYS} days: rotate them`);
    },
    check() {
      const [first] = expiring;
      const detail =
        first === undefined
          ? `none expires within ${WARNED_DAYS} days`
          : `${expiring.length} expire within ${WARNED_DAYS} days, the first at ${isoOf(first.expiresAt)}`;
      return { name: 'tokens', ok: true, ...(first !== undefined && { warn: true }), detail };
    },
  };
};
