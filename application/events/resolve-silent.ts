import { eachActiveTenant } from '#application/records/each-tenant.ts';
import { correlationSettings, lifecycleSettings } from '#application/records/tenant-settings.ts';
import { longestWindowMs } from '#domain/correlation/settings/tenant-settings.ts';
import type { Event } from '#domain/event/event.ts';
import type { Incoming } from '#domain/event/incoming.ts';
import { type EndRules, endOf } from '#domain/event/lifecycle/ending.ts';
import { shortestSilence } from '#domain/event/lifecycle/lifecycle.ts';
import type { SilentFilter } from '#domain/ports/events/event-sweeps.ts';
import type { Ports } from '#domain/ports/ports.ts';

/** Events scanned per tenant and round: at once, and in all. The next round continues behind them. */
const PAGE = 500;
const PAGES_PER_ROUND = 4;
const TIMEOUT_MS = 15_000;

type Stores = Pick<Ports, 'records' | 'sweeps' | 'eventLog' | 'clock'>;

/** Progress of the rounds of this process. */
interface Sweep {
  /** Position of the next round among silent events that are not over, by tenant. */
  readonly cursors: Map<string, string>;
  /** The clock is not sure: that an event was silent for days would end it for good, while a change is over soon by any clock. */
  readonly changesAlone?: boolean;
  readonly isStopping: () => boolean;
}

const recordOf = (event: Event, rules: EndRules, receivedAt: number): Incoming[] => {
  const silence = endOf(event, rules, receivedAt);
  return silence === null ? [] : [{ ask: { kind: 'expired', eventId: event.id, silence }, receivedAt }];
};

/** Requests the owner of the events to end expired ones. False when it does not answer: more would only pile up. */
const endPage = async (ports: Stores, tenant: string, events: readonly Event[], rules: EndRules): Promise<boolean> => {
  const now = ports.clock.now();
  const records = events.flatMap((event) => recordOf(event, rules, now));
  if (records.length === 0) return true;
  return (await ports.eventLog.request(tenant, records, { timeoutMs: TIMEOUT_MS })).done;
};

/** Some pages of one kind, from where the last round stopped. */
const endSome = async (
  ports: Stores,
  tenant: string,
  { cursors, isStopping }: Sweep,
  filter: SilentFilter,
  rules: EndRules,
): Promise<void> => {
  const place = `${tenant} ${filter.changes}`;
  for (let page = 0; page < PAGES_PER_ROUND && !isStopping(); page++) {
    const cursor = cursors.get(place);
    const part = await ports.sweeps.silent(tenant, filter, { limit: PAGE, ...(cursor !== undefined && { cursor }) });
    if (!(await endPage(ports, tenant, part.items, rules))) return;
    if (part.nextCursor === null) return void cursors.delete(place);
    cursors.set(place, part.nextCursor);
  }
};

const endInTenant = async (ports: Stores, tenant: string, sweep: Sweep): Promise<void> => {
  const [correlation, lifecycle] = await Promise.all([
    correlationSettings(ports.records, tenant),
    lifecycleSettings(ports.records, tenant),
  ]);
  const rules = { lifecycle, longestWindowMs: longestWindowMs(correlation) };
  const now = ports.clock.now();
  await endSome(ports, tenant, sweep, { before: now - rules.longestWindowMs, changes: true }, rules);
  if (sweep.changesAlone) return;
  const silence = shortestSilence(lifecycle);
  if (silence !== null) await endSome(ports, tenant, sweep, { before: now - silence, changes: false }, rules);
};

/**
 * Ends events without messages for as long as their tenant allows, and changes that are made. Every round scans a
 * bounded number of events. Throws when a tenant failed, after all others were processed.
 */
export const resolveSilent = (ports: Stores, sweep: Sweep): Promise<void> => {
  const failed = (count: number): string => `Couldn't resolve silent events of ${count} tenants`;
  return eachActiveTenant(ports.records, { isStopping: sweep.isStopping, failed }, (tenant) =>
    endInTenant(ports, tenant, sweep),
  );
};
