import { isOvertaken } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { DISCOVERY_KINDS } from './records.ts';

/** What is not renewed for so long belongs to a process that is gone; ms. */
export const LEASE_MS = 60_000;

interface LeaseRecord {
  readonly owner: string;
  readonly until: number;
}

/** The right to work on the scans of one tenant. */
export interface ScanLease {
  /** False when somebody else has it by now. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

/** Null while another process works on them. */
export async function takeLease({ records, clock }: Ports, tenant: string, owner: string): Promise<ScanLease | null> {
  let revision = 0;
  const put = async (): Promise<boolean> => {
    const until = clock.now() + LEASE_MS;
    const options = { expected: revision, expiresAt: until + LEASE_MS };
    try {
      revision = await records.put(SYSTEM_TENANT, DISCOVERY_KINDS.lease, tenant, { owner, until }, options);
      return true;
    } catch (error) {
      if (isOvertaken(error)) return false;
      throw error;
    }
  };
  const stored = await records.get<LeaseRecord>(SYSTEM_TENANT, DISCOVERY_KINDS.lease, tenant);
  if (stored !== null && stored.body.owner !== owner && stored.body.until > clock.now()) return null;
  revision = stored?.revision ?? 0;
  if (!(await put())) return null;
  return {
    renew: put,
    async release() {
      const now = await records.get<LeaseRecord>(SYSTEM_TENANT, DISCOVERY_KINDS.lease, tenant);
      if (now?.revision === revision) await records.remove(SYSTEM_TENANT, DISCOVERY_KINDS.lease, tenant);
    },
  };
}
