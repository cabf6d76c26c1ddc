import type { CorrelationSettings } from '#domain/correlation/settings.ts';
import type { Ask, Incoming, Receipt } from '#domain/event/incoming.ts';
import { type AssigneeDirectory, withKnownAssignees } from '#domain/event/life/assignee.ts';
import { type DedupSettings, prepare } from '#domain/event/life/prepare.ts';
import { itemAt } from '#domain/known.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { ServicesOfCi } from '#domain/services/dependencies.ts';
import type { Service } from '#domain/services/service.ts';
import type { Binding } from '#domain/topology/binding.ts';
import { countReceipts } from './count-receipts.ts';
import type { EventAction } from './event-action.ts';
import { amendHeartbeat } from './heartbeat-records.ts';
import { correlationSettings, dedupSettings } from './settings.ts';
import { type Judging, silencedOccurrence } from './silences/known-silences.ts';

export interface Arriving {
  readonly tenant: string;
  readonly receivedAt: number;
  /** Makes the delivery of every action recognisable when the client sends the request again. */
  readonly idempotencyKey: string | null;
}

/** The caller gets the answer that its event is late before the request times out. */
const RECEIPT_TIMEOUT_MS = 14_500;
const UNBOUND: Binding = { ci: null, method: null, ambiguous: false };

/**
 * The one way in for single, bulk, webhook and /v1 ingest: bind, sign, append, wait. One receipt per action, in order; null when all are
 * in the log but not answered yet. `known`: settings that were just read.
 */
export const receive = async (
  ports: Ports,
  actions: readonly EventAction[],
  arriving: Arriving,
  known?: CorrelationSettings,
): Promise<readonly (Receipt | null)[]> => {
  const { tenant, receivedAt, idempotencyKey } = arriving;
  if (actions.length === 0) return [];
  const settings = dedupSettings(known ?? (await correlationSettings(ports.records, tenant)));
  const bindings = await bindAll(ports, tenant, actions);
  const servicesOf = await ports.memory.services.of(tenant, receivedAt);
  const { silences } = ports.memory;
  const compiled = await silences.of(ports, tenant, receivedAt);
  const judging = { tenant, compiled, held: silences.held, now: receivedAt };
  const directory = actions.some(isAssigned) ? await ports.memory.directories.of(tenant, receivedAt) : null;
  const records = actions.map((action, index): Incoming => {
    const deliveryId = action.deliveryId ?? (idempotencyKey === null ? undefined : `key:${idempotencyKey}#${index}`);
    const ask = askOf(action, bindings[index] ?? UNBOUND, {
      ports,
      settings,
      receivedAt,
      servicesOf,
      directory,
      judging,
    });
    return deliveryId === undefined ? { ask, receivedAt } : { ask, receivedAt, deliveryId };
  });
  const reply = await ports.eventLog.request(tenant, records, { timeoutMs: RECEIPT_TIMEOUT_MS });
  const receipts = reply.done ? reply.receipts : actions.map(() => null);
  countReceipts(ports, actions, receipts, tenant);
  return receipts;
};

/** A topology store that is slow or down leaves events unbound; it does not refuse them. They are bound when it is back. */
const bindAll = async (ports: Ports, tenant: string, actions: readonly EventAction[]): Promise<readonly Binding[]> => {
  const queries = actions.map((action) => {
    if (action.action !== 'open') return {};
    const { ciId, ciHints, hostname, ipAddress } = action.draft;
    return {
      ...(ciId !== undefined && { ciId }),
      ...(ciHints !== undefined && { hints: ciHints }),
      ...(hostname !== undefined && { hostname }),
      ...(ipAddress !== undefined && { ipAddress }),
    };
  });
  const bindings = await ports.matcher.bindInTime(tenant, queries).catch(() => queries.map(() => null));
  let skipped = 0;
  for (const [index, binding] of bindings.entries())
    if (binding === null && Object.keys(itemAt(queries, index)).length > 0) skipped += 1;
  if (skipped > 0) ports.metrics.count('faultline_bindings_skipped_total', {}, skipped);
  return bindings.map((binding) => binding ?? UNBOUND);
};

interface Asking {
  readonly ports: Ports;
  readonly settings: DedupSettings;
  readonly receivedAt: number;
  readonly servicesOf: ServicesOfCi;
  readonly judging: Judging;
  /** Null when no event names an assignee. */
  readonly directory: AssigneeDirectory | null;
}

const isAssigned = (action: EventAction): boolean =>
  action.action === 'open' && (action.draft.assignedTo !== undefined || action.draft.assignedTeam !== undefined);

const NO_SERVICES: readonly Service[] = [];

const askOf = (action: EventAction, binding: Binding, asking: Asking): Ask => {
  const { ports, settings, receivedAt, servicesOf, directory, judging } = asking;
  if (action.action === 'open') {
    const draft = directory === null ? action.draft : withKnownAssignees(action.draft, directory);
    const occurrence = prepare(draft, {
      binding,
      services: binding.ci === null ? NO_SERVICES : (servicesOf.get(binding.ci.id) ?? NO_SERVICES),
      settings,
      newId: ports.ids.ulid(),
      conditionId: action.conditionId,
      plain: action.plain,
      receivedAt,
      sign: ports.memory.sign,
    });
    return { kind: 'occurred', occurrence: silencedOccurrence(occurrence, binding.maintenance, judging) };
  }
  const { source, sourceId, conditionId, notes, author } = action;
  const reference = {
    source,
    sourceId,
    conditionId,
    at: action.at ?? receivedAt,
    ...(notes !== undefined && { notes }),
  };
  if (action.action === 'resolve')
    return {
      ...{ kind: 'recovered', ...reference, ...(action.at === undefined && { untimed: true }) },
      ...(settings.maxBehindMs !== undefined && { maxBehindMs: settings.maxBehindMs }),
    };
  const kind = ({ acknowledge: 'acknowledged', suppress: 'suppressed', unsuppress: 'unsuppressed' } as const)[
    action.action
  ];
  return { kind, ...reference, ...(author !== undefined && { author }) };
};

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
