import { eachActiveTenant } from '#application/records/each-tenant.ts';
import { correlationSettings, lifecycleSettings } from '#application/records/tenant-settings.ts';
import { longestWindowMs } from '#domain/correlation/settings/tenant-settings.ts';
import type { Event } from '#domain/event/event.ts';
import type { Incoming } from '#domain/event/incoming.ts';
import { type EndRules, endOf } from '#domain/event/life/ending.ts';
import { shortestSilence } from '#domain/event/life/lifecycle.ts';
import type { SilentFilter } from '#domain/ports/events/event-sweeps.ts';
import type { Ports } from '#domain/ports/ports.ts';

/** Events looked at per tenant and round: at once, and in all. The next round goes on behind them. */
const PAGE = 500;
const PAGES_PER_ROUND = 4;
const TIMEOUT_MS = 15_000;

type Needed = Pick<Ports, 'records' | 'sweeps' | 'eventLog' | 'clock'>;

/** How far the rounds of this process have come. */
interface Sweep {
  /** By tenant: where the next round goes on among events that are silent and not over. */
  readonly cursors: Map<string, string>;
  /** The clock is not sure: that an event was silent for days would end it for good, while a change is over soon by any clock. */
  readonly changesAlone?: boolean;
  readonly isStopping: () => boolean;
}

const recordOf = (event: Event, rules: EndRules, receivedAt: number): Incoming[] => {
  const silence = endOf(event, rules, receivedAt);
  return silence === null ? [] : [{ ask: { kind: 'expired', eventId: event.id, silence }, receivedAt }];
};

/** Asks the owner of the events to end those that are over. False when it does not answer: more would only pile up. */
const endPage = async (ports: Needed, tenant: string, events: readonly Event[], rules: EndRules): Promise<boolean> => {
  const now = ports.clock.now();
  const records = events.flatMap((event) => recordOf(event, rules, now));
  if (records.length === 0) return true;
  return (await ports.eventLog.request(tenant, records, { timeoutMs: TIMEOUT_MS })).done;
};

/** Some pages of one kind, from where the last round stopped. */
const endSome = async (
  ports: Needed,
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

const endInTenant = async (ports: Needed, tenant: string, sweep: Sweep): Promise<void> => {
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
 * Ends events that nothing was heard of for as long as their tenant allows, and changes that are made. Every round looks at a bounded
 * number of events. Throws when a tenant failed, after all others had their turn.
 */
export const resolveSilent = (ports: Needed, sweep: Sweep): Promise<void> => {
  const failed = (count: number): string => `Silent events of ${count} tenants could not be ended`;
  return eachActiveTenant(ports.records, { isStopping: sweep.isStopping, failed }, (tenant) =>
    endInTenant(ports, tenant, sweep),
  );
};
