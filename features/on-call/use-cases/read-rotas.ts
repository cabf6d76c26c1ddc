import type { TenantContext } from '#application/access/context.ts';
import { eachActiveTenant } from '#application/records/each-tenant.ts';
import { everyRecord } from '#application/records/list-records.ts';
import type { PostFailure } from '#domain/ports/outbound.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { ON_CALL_KINDS, type OnCallPolicy, type OnCallRota } from '#features/on-call/rules/on-call.ts';

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 2 * 1024 * 1024;
const AHEAD_MS = 7 * 24 * 3_600_000;
const BEHIND_MS = 24 * 3_600_000;

export const policiesOf = ({ ports, tenant }: TenantContext): Promise<OnCallPolicy[]> =>
  everyRecord<OnCallPolicy>(ports.records, tenant, ON_CALL_KINDS.policy);

const reasonOf = (error: unknown): string =>
  (error as Partial<PostFailure>).class ?? (error as Error).message.slice(0, 255);

async function shiftsOf(ports: Ports, url: string): Promise<OnCallRota['shifts']> {
  const headers = { accept: 'text/calendar' };
  const { status, body } = await ports.outbound.read(url, { headers, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
  if (status !== 200) throw new Error(`HTTP ${status}`);
  const now = ports.clock.now();
  return ports.calendars.shiftsOf(body, { from: now - BEHIND_MS, to: now + AHEAD_MS });
}

/** Reads the calendar of a team; after a failure the shifts that were read before stay. */
export async function readRota(ports: Ports, tenant: string, { team, calendar }: OnCallPolicy): Promise<OnCallRota> {
  const known = (await ports.records.get<OnCallRota>(tenant, ON_CALL_KINDS.rota, team.id))?.body;
  const readAt = ports.clock.now();
  const rota: OnCallRota = await shiftsOf(ports, calendar ?? '').then(
    (shifts) => ({ shifts, readAt, error: null }),
    (error) => ({ shifts: known?.shifts ?? [], readAt, error: reasonOf(error) }),
  );
  await ports.records.put(tenant, ON_CALL_KINDS.rota, team.id, rota);
  return rota;
}

/** Reads all calendars. */
export const readRotas = (ports: Ports, isStopping: () => boolean): Promise<void> => {
  const failed = (count: number): string => `Couldn't read on-call calendars of ${count} tenants`;
  return eachActiveTenant(ports.records, { isStopping, failed }, async (tenant) => {
    for (const policy of await policiesOf({ ports, tenant })) {
      if (isStopping()) return;
      if (policy.calendar !== null) await readRota(ports, tenant, policy);
    }
  });
};
