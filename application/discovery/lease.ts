import { type Lease, leaseOn } from '#application/records/lease.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { DISCOVERY_KINDS } from './records.ts';

/** The right to work on the scans of one tenant; null while another process does. */
export const takeLease = (ports: Ports, tenant: string, owner: string): Promise<Lease | null> =>
  leaseOn(ports, { kind: DISCOVERY_KINDS.lease, id: tenant }, owner);
