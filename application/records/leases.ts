import { isOvertaken } from '#domain/fault.ts';
import type { Clock } from '#domain/ports/clock.ts';
import type { Leased, Leases } from '#domain/ports/jobs.ts';
import { type RecordStore, type StoredRecord, SYSTEM_TENANT } from '#domain/ports/record-store.ts';

/** Age at which an unrenewed entry belongs to a dead process; ms. */
export const LEASE_MS = 60_000;

interface LeaseRecord {
  readonly owner: string;
  /** Its length. */
  readonly ms: number;
}

const nameOf = ({ kind, id }: Leased): string => `${kind}\n${id}`;

/** Maximum age, after which the record of a dead process is deleted, even with wrong clocks. */
const KEPT_MS = 366 * 24 * 3_600_000;
/** Leases of others that are watched, the newest. */
const MAX_WATCHED = 10_000;

interface Watched {
  readonly owner: string;
  readonly revision: number;
  /** Time of the monotonic clock, ms. */
  readonly since: number;
}

/**
 * Leases in the store, for several processes. Their clocks may differ, and each may be set: a lease is over when its record has not
 * changed for its own length while this process watched, by the clock that only grows.
 */
const sharedLeases = ({ records, clock }: { records: RecordStore; clock: Clock }): Leases => {
  const watched = new Map<string, Watched>();
  const isOver = (name: string, { revision, body }: StoredRecord<LeaseRecord>): boolean => {
    const known = watched.get(name);
    if (known?.owner === body.owner && known.revision === revision) return clock.steady() - known.since >= body.ms;
    watched.delete(name);
    watched.set(name, { owner: body.owner, revision, since: clock.steady() });
    if (watched.size > MAX_WATCHED) watched.delete(watched.keys().next().value ?? name);
    return false;
  };
  return {
    async take(leased, owner, ms) {
      const { kind, id } = leased;
      const name = nameOf(leased);
      const read = () => records.get<LeaseRecord>(SYSTEM_TENANT, kind, id);
      /** False when another process was faster. */
      const put = async (expected: number): Promise<boolean> => {
        const body: LeaseRecord = { owner, ms };
        const expiresAt = clock.now() + KEPT_MS;
        try {
          await records.put(SYSTEM_TENANT, kind, id, body, { expected, expiresAt });
          return true;
        } catch (error) {
          if (isOvertaken(error)) return false;
          throw error;
        }
      };
      const stored = await read();
      if (stored !== null && stored.body.owner !== owner && !isOver(name, stored)) return null;
      if (!(await put(stored?.revision ?? 0))) return null;
      watched.delete(name);
      let renewing: Promise<boolean> = Promise.resolve(true);
      // A put whose answer was lost has happened all the same: what counts is whose record it is.
      const renew = async (): Promise<boolean> => {
        const now = await read();
        return now?.body.owner === owner && put(now.revision);
      };
      return {
        renew: () => (renewing = renewing.then(renew, renew)),
        async release() {
          await renewing.catch(() => undefined);
          if ((await read())?.body.owner === owner) await records.remove(SYSTEM_TENANT, kind, id);
        },
      };
    },
  };
};

/** Leases of the only process on a store, in memory: those of a process before it are over. */
const ownLeases = (): Leases => {
  const owners = new Map<string, string>();
  return {
    async take(leased, owner) {
      const name = nameOf(leased);
      if ((owners.get(name) ?? owner) !== owner) return null;
      owners.set(name, owner);
      return {
        renew: async () => owners.get(name) === owner,
        async release() {
          if (owners.get(name) === owner) owners.delete(name);
        },
      };
    },
  };
};

/** `isAlone`: no other process works on this store. */
export const openLeases = (ports: { records: RecordStore; clock: Clock }, { isAlone }: { isAlone: boolean }): Leases =>
  isAlone ? ownLeases() : sharedLeases(ports);
