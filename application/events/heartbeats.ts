/** Alerts that always fire, like `Watchdog`: listed under the setting `heartbeats` they are no events, their absence is. */
import type { Receipt } from '#domain/event/incoming.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { countReceipts } from './count-receipts.ts';
import type { EventAction } from './event-action.ts';
import { amendHeartbeat } from './heartbeat-records.ts';
import { type Arriving, receive } from './receive.ts';
import { correlationSettings } from './settings.ts';

/** Listed heartbeats: id (lower case) → name as the tenant wrote it. */
type Listed = ReadonlyMap<string, string>;

/** A beat is written at most this often per heartbeat. */
const WRITE_EVERY_MS = 10_000;

const LABEL = 'alertname:';
const NOTED: Receipt = { ok: true, outcome: 'ignored', id: null, count: 0, correlationId: null };

export const listedHeartbeats = (names: readonly string[]): Listed =>
  new Map(names.map((name) => [name.toLowerCase(), name]));

/** The label `alertname` where the sender has labels, else the title. A recovery is no beat: it says that the beating has ended. */
const alertNameOf = (action: EventAction): string | undefined => {
  if (action.action !== 'open') return undefined;
  const { details, tags, title } = action.draft;
  if (typeof details?.alertname === 'string') return details.alertname;
  return tags?.find((tag) => tag.startsWith(LABEL))?.slice(LABEL.length) ?? title;
};

/** Id of the listed heartbeat that fires with this action; null when it is about an event. */
export const heartbeatOf = (action: EventAction, listed: Listed): string | null => {
  const id = alertNameOf(action)?.toLowerCase();
  return id !== undefined && listed.has(id) ? id : null;
};

const noteBeat = (ports: Ports, { tenant, receivedAt }: Arriving, id: string, name: string): Promise<void> =>
  amendHeartbeat(ports.records, { tenant, id }, (before) =>
    before !== null && receivedAt - before.lastSeen < WRITE_EVERY_MS
      ? null
      : { name, lastSeen: receivedAt, missing: before?.missing ?? false },
  );

/** `receive` for what monitors send: notes the tenant's heartbeats and receives the others. One receipt per action, in order. */
export const receiveOrNote = async (
  ports: Ports,
  actions: readonly EventAction[],
  arriving: Arriving,
): Promise<readonly (Receipt | null)[]> => {
  if (actions.length === 0) return [];
  const settings = await correlationSettings(ports.records, arriving.tenant);
  if (settings.heartbeats.length === 0) return receive(ports, actions, arriving, settings);
  const listed = listedHeartbeats(settings.heartbeats);
  const ids = actions.map((action) => heartbeatOf(action, listed));
  for (const id of new Set(ids)) if (id !== null) await noteBeat(ports, arriving, id, listed.get(id) ?? id);
  const beats = actions.filter((_, index) => ids[index] !== null);
  const events = actions.filter((_, index) => ids[index] === null);
  countReceipts(
    ports,
    beats,
    beats.map(() => NOTED),
    arriving.tenant,
  );
  const receipts = await receive(ports, events, arriving, settings);
  let next = 0;
  return ids.map((id) => (id === null ? (receipts[next++] ?? null) : NOTED));
};
