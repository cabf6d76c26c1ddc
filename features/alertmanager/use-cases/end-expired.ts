import { amended } from '#application/events/amended.ts';
import { ownEnded, ownRaised } from '#application/events/own-event.ts';
import { receive } from '#application/events/receive.ts';
import { amendNote } from '#application/records/amend-note.ts';
import { eachActiveTenant } from '#application/records/each-tenant.ts';
import type { Event } from '#domain/event/event.ts';
import type { Incoming } from '#domain/event/incoming.ts';
import type { MemorySlot } from '#domain/ports/memory.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type AlertSender, expiryState, heardAt, senderOf } from '#features/alertmanager/rules/senders.ts';
import { SENDER_KIND } from './post-alerts.ts';

/** Tag of events whose sender sends nothing at all any more. */
const SENDER_SILENT = 'sender-silent';
const PAGE = 500;
const PAGES_PER_ROUND = 4;
const TIMEOUT_MS = 15_000;
const MAX_SENDERS = 1_000;
/** Events with a message since then need no check, ms. */
const FRESH_MS = 30_000;
/** A sender with open alerts sends each minute. */
const SILENT_MS = 4 * 60_000;
const FORGOTTEN_MS = 30 * 24 * 3_600_000;

/** Position of the next round among the events, by tenant. */
export type ExpiryCursors = Map<string, string>;
export const EXPIRY: MemorySlot<ExpiryCursors> = { name: 'alertmanager-expiry', open: () => new Map() };

type Senders = ReadonlyMap<string, AlertSender>;

const EXPIRED = { category: 'auto-resolved', notes: 'alert expired: its sender no longer sends it' } as const;

/** Adds the tag; the next message of the sender replaces all tags. */
const marked = (event: Event, newId: string): Incoming['ask'] => ({
  kind: 'occurred',
  occurrence: amended(event, newId, { tags: [...event.tags, SENDER_SILENT] }),
});

/** Senders that are silent while an alert of theirs may still fire. */
interface Checked {
  readonly records: readonly Incoming[];
  readonly silent: ReadonlySet<string>;
}

const check = ({ ids }: Pick<Ports, 'ids'>, events: readonly Event[], senders: Senders, now: number): Checked => {
  const records: Incoming[] = [];
  const silent = new Set<string>();
  for (const event of events) {
    const name = senderOf(event.details.generatorURL);
    const state = expiryState(event, senders.get(name), now);
    if (state === 'over') {
      const silence = { heard: heardAt(event), ...EXPIRED };
      records.push({ ask: { kind: 'expired', eventId: event.id, silence }, receivedAt: now });
    } else if (state === 'unknown') {
      silent.add(name);
      if (!event.tags.includes(SENDER_SILENT)) records.push({ ask: marked(event, ids.ulid()), receivedAt: now });
    }
  }
  return { records, silent };
};

const report = async (ports: Ports, tenant: string, sender: AlertSender, missing: boolean): Promise<void> => {
  const { name, lastSeen } = sender;
  const sourceId = `alert-sender/${name}`;
  const action = missing
    ? ownRaised(sourceId, {
        severity: 'critical',
        title: `No alerts from ${name}`,
        description: `No alerts from ${name} since ${new Date(lastSeen).toISOString()}. Its open alerts are kept.`,
      })
    : ownEnded(sourceId);
  await receive(ports, [action], { tenant, receivedAt: ports.clock.now(), idempotencyKey: null });
  const note = { tenant, kind: SENDER_KIND, id: ports.crypto.sha256(name) };
  await amendNote<AlertSender>(ports.records, note, (before) => before && { ...before, missing });
};

/** Silence is reported while open alerts depend on it, and ends when the sender is back or forgotten. */
const reportAll = async (ports: Ports, tenant: string, senders: Senders, silent: ReadonlySet<string>, now: number) => {
  for (const sender of senders.values()) {
    const { name, missing, lastSeen } = sender;
    const silence = now - lastSeen;
    const isForgotten = silence > FORGOTTEN_MS;
    if (missing && (silence < SILENT_MS || isForgotten)) await report(ports, tenant, sender, false);
    else if (!missing && silence >= SILENT_MS && silent.has(name)) await report(ports, tenant, sender, true);
    if (isForgotten) await ports.records.remove(tenant, SENDER_KIND, ports.crypto.sha256(name));
  }
};

const sendersOf = async ({ records }: Ports, tenant: string): Promise<Senders> => {
  const stored = await records.list<AlertSender>(tenant, SENDER_KIND, { limit: MAX_SENDERS });
  return new Map(stored.map(({ body }) => [body.name, body]));
};

const checkTenant = async (
  ports: Ports,
  tenant: string,
  cursors: ExpiryCursors,
  isStopping: () => boolean,
): Promise<void> => {
  const now = ports.clock.now();
  const senders = await sendersOf(ports, tenant);
  if (senders.size === 0) return;
  const silent = new Set<string>();
  for (let page = 0; page < PAGES_PER_ROUND && !isStopping(); page++) {
    const cursor = cursors.get(tenant);
    const from = { limit: PAGE, ...(cursor !== undefined && { cursor }) };
    const part = await ports.sweeps.silent(tenant, { before: now - FRESH_MS, changes: false }, from);
    const checked = check(ports, part.items, senders, now);
    for (const name of checked.silent) silent.add(name);
    if (checked.records.length > 0) {
      const { done } = await ports.eventLog.request(tenant, checked.records, { timeoutMs: TIMEOUT_MS });
      if (!done) return;
    }
    if (part.nextCursor === null) {
      cursors.delete(tenant);
      break;
    }
    cursors.set(tenant, part.nextCursor);
  }
  await reportAll(ports, tenant, senders, silent, now);
};

/**
 * Ends alerts that expired without a repetition while their sender sends others. Alerts of a silent sender stay, and an
 * event reports the silence. Every round scans a bounded number of events.
 */
export const endExpired = (ports: Ports, cursors: ExpiryCursors, isStopping: () => boolean): Promise<void> => {
  const failed = (count: number): string => `Couldn't end expired alerts of ${count} tenants`;
  return eachActiveTenant(ports.records, { isStopping, failed }, (tenant) =>
    checkTenant(ports, tenant, cursors, isStopping),
  );
};
