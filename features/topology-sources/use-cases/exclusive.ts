import type { TenantContext } from '#application/access/context.ts';
import { pause } from '#application/records/pause.ts';
import { Fault } from '#domain/fault.ts';
import type { Lease } from '#domain/ports/jobs.ts';
import { SOURCE_RECORDS } from '#features/topology-sources/rules/record-kinds.ts';

/** A lease not renewed for this time belongs to a dead process; ms. */
const LEASE_MS = 60_000;
/** Minimum time between renewals; ms. */
const RENEW_MS = 15_000;

const WAIT_MS = 100;

/** Held by the only run of a source, across all processes. */
export interface RunTurn {
  /** True once another process holds the lease, or when the caller stops. */
  readonly isStopping: () => boolean;
}

export interface TurnWish {
  readonly source: string;
  /** Number of waits for another run, 100 ms each. */
  readonly waits: number;
  readonly isStopping: () => boolean;
}
/** Number of waits for API requests: ten seconds. */
export const CALLER_WAITS = 100;

async function taken({ ports, tenant }: TenantContext, { source, waits }: TurnWish): Promise<Lease> {
  const leased = { kind: SOURCE_RECORDS.lease, id: `${tenant}/${source}` };
  const owner = ports.ids.ulid();
  for (let left = waits; ; left--) {
    const lease = await ports.leases.take(leased, owner, LEASE_MS);
    if (lease !== null) return lease;
    if (left <= 0) throw new Fault('conflict', `Source ${source} is running. Retry when it has finished`);
    await pause(WAIT_MS);
  }
}

/**
 * Allows one run of a source at a time, across all processes. Call `isStopping` between steps: it renews the lease.
 * Throws Fault `conflict` while another run is in progress.
 */
export async function exclusively<T>(
  context: TenantContext,
  wish: TurnWish,
  run: (turn: RunTurn) => Promise<T>,
): Promise<T> {
  const { clock } = context.ports;
  const lease = await taken(context, wish);
  let isLost = false;
  let renewedAt = clock.steady();
  const renew = async (): Promise<void> => {
    // If the store is unavailable, no other process can acquire the lease.
    if (!(await lease.renew().catch(() => true))) isLost = true;
  };
  try {
    return await run({
      isStopping: () => {
        if (clock.steady() - renewedAt > RENEW_MS) {
          renewedAt = clock.steady();
          void renew();
        }
        return isLost || wish.isStopping();
      },
    });
  } finally {
    await lease.release().catch(() => undefined);
  }
}
