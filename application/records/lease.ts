import { isOvertaken } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';

/** An entry not renewed for so long belongs to a dead process; ms. */
export const LEASE_MS = 60_000;

interface LeaseRecord {
  readonly owner: string;
  readonly until: number;
}

/** The right to do work that one process at a time may do. */
export interface Lease {
  /** False when another process has it by now. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

/** Kind and id of the record that stands for the work. */
export interface Leased {
  readonly kind: string;
  readonly id: string;
}

/** Null while another process has it. A lease that is not renewed for `ms` is free. */
export async function leaseOn(
  { records, clock }: Pick<Ports, 'records' | 'clock'>,
  { kind, id }: Leased,
  owner: string,
  ms: number = LEASE_MS,
): Promise<Lease | null> {
  let revision = 0;
  const put = async (): Promise<boolean> => {
    const until = clock.now() + ms;
    const options = { expected: revision, expiresAt: until + ms };
    try {
      revision = await records.put(SYSTEM_TENANT, kind, id, { owner, until }, options);
      return true;
    } catch (error) {
      if (isOvertaken(error)) return false;
      throw error;
    }
  };
  const stored = await records.get<LeaseRecord>(SYSTEM_TENANT, kind, id);
  if (stored !== null && stored.body.owner !== owner && stored.body.until > clock.now()) return null;
  revision = stored?.revision ?? 0;
  if (!(await put())) return null;
  return {
    renew: put,
    async release() {
      const now = await records.get<LeaseRecord>(SYSTEM_TENANT, kind, id);
      if (now?.revision === revision) await records.remove(SYSTEM_TENANT, kind, id);
    },
  };
}
