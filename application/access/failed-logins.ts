import {
  ACCESS_KINDS,
  INSTANCE_ID,
  type InstanceRecord,
  type TenantRecord,
  type UserRecord,
} from '#domain/access/records.ts';
import { isTenantId, usernameKey } from '#domain/access/tenant.ts';
import type { Along } from '#domain/along.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { auditedAs } from './audit.ts';
import type { UseCaseContext } from './context.ts';
import type { LoginInput } from './login.ts';
import { userNamed } from './user-store.ts';

/** Failures of one account within this time are one entry with a count. */
const ENTRY_MS = 60_000;
/** Accounts whose entry may grow; the oldest leaves. */
const MAX_ENTRIES = 10_000;
const MAX_ADDRESSES = 5;

interface Entry {
  readonly along: Along;
  readonly at: number;
  readonly addresses: Set<string>;
  wrong: number;
  throttled: number;
  saving: Promise<unknown>;
}
type Entries = Map<string, Entry>;

/** One map per store, as the caches of credentials. */
const entriesOf = new WeakMap<RecordStore, Entries>();
const entriesFor = (records: RecordStore): Entries => {
  const found = entriesOf.get(records) ?? new Map<string, Entry>();
  entriesOf.set(records, found);
  return found;
};

/** Names of users that do not exist are not kept: people type passwords there. */
const UNKNOWN = { id: 'unknown', username: 'unknown', name: 'unknown' };

const opened = ({ ports, address, department }: UseCaseContext, tenant: string, user: UserRecord | null): Entry => {
  const { id, username, name } = user ?? UNKNOWN;
  const entry = { action: 'login.failed', target: { kind: 'user', id }, before: null, after: null };
  const along = auditedAs(ports, tenant, { actor: { id, username, name }, address, department }, entry);
  return { along, at: ports.clock.now(), addresses: new Set(), wrong: 0, throttled: 0, saving: Promise.resolve() };
};

const save = (records: RecordStore, entry: Entry): void => {
  const { tenant, kind, id, body, expiresAt } = entry.along;
  const after = { failures: entry.wrong, throttled: entry.throttled, addresses: [...entry.addresses] };
  const put = () =>
    records.put(tenant, kind, id, { ...(body as object), after }, expiresAt === undefined ? {} : { expiresAt });
  // A store that is down refuses logins as well; the entry is written with the next failure.
  entry.saving = entry.saving.then(put).catch(() => undefined);
};

/** The account's entry of this minute, made when there is none. Null: no such tenant. */
const entryOf = async (context: UseCaseContext, tenant: string, username: string): Promise<Entry | null> => {
  const { records, clock } = context.ports;
  const home = isTenantId(tenant) ? await records.get<TenantRecord>(SYSTEM_TENANT, ACCESS_KINDS.tenant, tenant) : null;
  if (home === null) return null;
  const user = await userNamed(records, tenant, username);
  const entries = entriesFor(records);
  const key = `${tenant}|${user?.id ?? ''}`;
  const known = entries.get(key);
  if (known !== undefined && clock.now() - known.at < ENTRY_MS) return known;
  if (entries.size >= MAX_ENTRIES) entries.delete(entries.keys().next().value as string);
  const entry = opened(context, tenant, user);
  entries.delete(key);
  entries.set(key, entry);
  return entry;
};

const isPowerOfTwo = (count: number): boolean => (count & (count - 1)) === 0;

const noted = async (context: UseCaseContext, input: LoginInput, isThrottled: boolean): Promise<void> => {
  const { records } = context.ports;
  const instance = await records.get<InstanceRecord>(SYSTEM_TENANT, ACCESS_KINDS.instance, INSTANCE_ID);
  const entry = await entryOf(context, input.tenant ?? instance?.body.tenant ?? '', usernameKey(input.username));
  if (entry === null) return;
  if (entry.addresses.size < MAX_ADDRESSES) entry.addresses.add(context.address);
  if (isThrottled) entry.throttled += 1;
  else entry.wrong += 1;
  // A throttled attempt costs its sender nothing, so it must not cost a write each.
  if (!isThrottled || isPowerOfTwo(entry.throttled)) save(records, entry);
};

/** Notes a failed login by account, without the password, after the answer. */
export const noteFailure = (context: UseCaseContext, input: LoginInput, isThrottled: boolean): void => {
  noted(context, input, isThrottled).catch(() => undefined);
};
