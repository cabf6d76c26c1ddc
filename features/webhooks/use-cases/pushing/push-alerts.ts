import { eachActiveTenant } from '#application/records/each-tenant.ts';
import { lifecycleSettings } from '#application/records/tenant-settings.ts';
import { type ListedGroup, leadingEventOf, ON } from '#domain/correlation/grouping/group-state.ts';
import type { Event } from '#domain/event/event.ts';
import { eventIdOf } from '#domain/event/event.ts';
import { percent } from '#domain/numbers.ts';
import type { MemorySlot } from '#domain/ports/memory.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { slices } from '#domain/slices.ts';
import { matches, subscribes } from '#features/webhooks/rules/filter.ts';
import { labelsOf, type PushedAlert } from '#features/webhooks/rules/formats/alertmanager.ts';
import { isPushed, type Webhook } from '#features/webhooks/rules/webhook.ts';
import { send } from '#features/webhooks/use-cases/delivery/attempt.ts';
import { Receiver } from '#features/webhooks/use-cases/delivery/receiver.ts';
import { switchOff } from '#features/webhooks/use-cases/delivery/webhook-run.ts';
import { eventSubject } from '#features/webhooks/use-cases/resources/subjects.ts';
import { GROUP_KINDS } from '#features/webhooks/use-cases/sources/groups.ts';
import { isNotable } from '#features/webhooks/use-cases/sources/lone-events.ts';
import { webhooksOf } from '#features/webhooks/use-cases/webhook-store.ts';

/** Groups, and events in none, per webhook. */
const MOST = 5_000;
const PAGE = 100;
const BATCH = 500;
/** An alert is repeated as Prometheus does it, ms. */
const REPEAT_MS = 60_000;
/** Time without repetition after which Alertmanager ends an alert, ms. */
const LASTS_MS = 5 * 60_000;
/** Duration of the repetition of an end, ms. */
const END_REPEATED_MS = 15 * 60_000;

type Annotated = Omit<PushedAlert, 'endsAt'>;
interface Pushed {
  readonly alert: Annotated;
  /** ms; 0: it was never received. */
  readonly sentAt: number;
  /** ms; null: it fires. */
  readonly endedAt: number | null;
}
/** Alerts by their labels as JSON. Alertmanager ends alerts that a restart has forgotten. */
type PushedAlerts = Map<string, Pushed>;
const PUSHED: MemorySlot<Map<string, PushedAlerts>> = { name: 'pushed-alerts', open: () => new Map() };

const placeOf = ({ severity, hostname, service, environment }: Event) => ({ severity, hostname, service, environment });

const groupAlert = ({ group, state, care }: ListedGroup, leading: Event | undefined): Annotated => {
  const { confidence } = group.candidate ?? {};
  const title = leading === undefined ? 'no root cause identified' : `probable root cause ${leading.title}`;
  return {
    labels: labelsOf({
      kind: 'group',
      id: group.id,
      ...(leading === undefined ? { severity: state.severity } : placeOf(leading)),
    }),
    annotations: {
      summary: `Group (${group.size} events): ${title}`.slice(0, 1_000),
      ...(confidence !== undefined && { confidence: percent(confidence) }),
      ...(leading?.description !== undefined && { description: leading.description.slice(0, 1_000) }),
      ...(care.acknowledged?.by != null && { acknowledged_by: care.acknowledged.by.name }),
    },
    startsAt: new Date(group.first).toISOString(),
    generatorURL: '',
  };
};

const eventAlert = (event: Event): Annotated => ({
  labels: labelsOf({ kind: 'event', id: eventIdOf(event.id), ...placeOf(event) }),
  annotations: {
    summary: event.title,
    ...(event.description !== undefined && { description: event.description.slice(0, 1_000) }),
    ...(event.acknowledgedBy != null && { acknowledged_by: event.acknowledgedBy.name }),
  },
  startsAt: new Date(event.firstOccurrence).toISOString(),
  generatorURL: '',
});

/** Pages of a list by cursor, up to the most. */
async function* pages<Item>(
  next: (page: { readonly limit: number; readonly cursor?: string }) => Promise<{
    readonly items: readonly Item[];
    readonly nextCursor?: string | null;
  }>,
): AsyncGenerator<readonly Item[]> {
  let cursor: string | null | undefined;
  for (let read = 0; read < MOST && cursor !== null; read += PAGE) {
    const page = await next({ limit: PAGE, ...(cursor !== undefined && { cursor }) });
    yield page.items;
    cursor = page.nextCursor ?? null;
  }
}

const groupAlerts = async (ports: Ports, tenant: string, webhook: Webhook): Promise<Annotated[]> => {
  const alerts: Annotated[] = [];
  const statuses = ['active', 'acknowledged'] as const;
  for await (const rows of pages((page) =>
    ports.groupRows.find(tenant, { statuses }, { sort: 'last', order: 'desc', ...page }),
  )) {
    const ids = rows.flatMap((row) => leadingEventOf(row) ?? []);
    const events = new Map((await ports.events.getMany(tenant, ids)).map((event) => [event.id, event]));
    for (const row of rows) {
      const leading = events.get(leadingEventOf(row) ?? '');
      if (matches(webhook.filter, leading === undefined ? {} : eventSubject(leading, true)))
        alerts.push(groupAlert(row, leading));
    }
  }
  return alerts;
};

const loneAlerts = async (ports: Ports, tenant: string, webhook: Webhook): Promise<Annotated[]> => {
  const alerts: Annotated[] = [];
  const { loneFrom } = await lifecycleSettings(ports.records, tenant);
  for await (const events of pages((page) =>
    ports.events.part(tenant, { statuses: ON, grouped: false }, { sort: 'lastOccurrence', order: 'desc', ...page }),
  ))
    for (const event of events)
      if (isNotable(event, loneFrom) && matches(webhook.filter, eventSubject(event, true)))
        alerts.push(eventAlert(event));
  return alerts;
};

/** Alerts that fire, and ended ones for some time, with their last messages. */
const dueAlerts = (pushed: PushedAlerts, wanted: readonly Annotated[], now: number): [string, Pushed][] => {
  const firing = new Map(wanted.map((alert) => [JSON.stringify(alert.labels), alert]));
  for (const [key, alert] of firing) {
    const before = pushed.get(key);
    const sentAt = before?.endedAt === null ? before.sentAt : 0;
    pushed.set(key, { alert, sentAt, endedAt: null });
  }
  for (const [key, { endedAt, ...known }] of pushed) {
    if (firing.has(key)) continue;
    if (endedAt !== null && now - endedAt > END_REPEATED_MS) pushed.delete(key);
    else if (endedAt === null) pushed.set(key, { ...known, sentAt: 0, endedAt: now });
  }
  return [...pushed].filter(([, { sentAt }]) => now - sentAt >= REPEAT_MS);
};

const written = ({ alert, endedAt }: Pushed, now: number): PushedAlert => ({
  ...alert,
  endsAt: new Date(endedAt ?? now + LASTS_MS).toISOString(),
});

const pushFor = async (ports: Ports, tenant: string, webhook: Webhook, pushed: PushedAlerts): Promise<void> => {
  const receiver = await Receiver.open(ports, tenant, webhook.id);
  if (receiver.isResting) return;
  const hasGroups = GROUP_KINDS.some((kind) => subscribes(webhook, kind));
  const wanted = [
    ...(hasGroups ? await groupAlerts(ports, tenant, webhook) : []),
    ...(subscribes(webhook, 'event.ungrouped') ? await loneAlerts(ports, tenant, webhook) : []),
  ];
  const now = ports.clock.now();
  for (const batch of slices(dueAlerts(pushed, wanted, now), BATCH)) {
    const body = JSON.stringify(batch.map(([, one]) => written(one, now)));
    const delivery = { id: `alerts-${ports.ids.ulid()}`, body, contentType: 'application/json' };
    const attempt = await send({ ports, tenant, webhook }, delivery, new AbortController().signal);
    if (attempt === null) return;
    // Alerts are lost to a receiver that is back while Faultline still pauses.
    const verdict = await receiver.note(attempt, REPEAT_MS);
    if (verdict !== 'goes on') await switchOff(ports, tenant, webhook, verdict);
    if (attempt.error !== null) return;
    for (const [key, one] of batch) pushed.set(key, { ...one, sentAt: now });
  }
};

/** Sends the alerts of open groups to every Alertmanager behind Faultline. */
export const pushAlerts = (ports: Ports, isStopping: () => boolean): Promise<void> => {
  const all = ports.memory.of(PUSHED);
  const failed = (count: number): string => `failed to push alerts of ${count} tenants`;
  return eachActiveTenant(ports.records, { isStopping, failed }, async (tenant) => {
    for (const webhook of await webhooksOf(ports, tenant)) {
      if (isStopping() || !isPushed(webhook)) continue;
      const pushed = all.get(webhook.id) ?? new Map();
      all.set(webhook.id, pushed);
      if (webhook.active) await pushFor(ports, tenant, webhook, pushed);
      else all.delete(webhook.id);
    }
  });
};
