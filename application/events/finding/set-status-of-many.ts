import { actorOf } from '#application/access/actor.ts';
import { trailOf } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { readAfter } from '#application/records/read-after.ts';
import { type Event, eventIdOf, parseEventId, type ResolutionCategory, type Status } from '#domain/event/event.ts';
import type { Incoming, Receipt } from '#domain/event/incoming.ts';
import { MOVED_FROM, wasClosed } from '#domain/event/lifecycle/putting-back.ts';
import { Fault, invalid, isUnavailable, notFound } from '#domain/fault.ts';
import type { EventFilter } from '#domain/ports/events/event-store.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { slices } from '#domain/slices.ts';
import type { AskedFilter } from '#schemas/http/events/event-filter.ts';
import { resolveFilter } from './resolve-filter.ts';

export type EventsMeant =
  | { readonly ids: readonly string[] }
  | { readonly correlationId: string }
  | { readonly filter: AskedFilter; readonly expect: number };

export interface StatusChangeInput {
  readonly status: Status;
  readonly notes?: string | undefined;
  readonly category?: ResolutionCategory | undefined;
  /** End of a suppression, ms. */
  readonly until?: number | undefined;
}
interface StatusRefusal {
  /** Id as the caller wrote it, else with its prefix. */
  readonly id: string;
  readonly why: string;
}
export interface StatusOfMany {
  /** Number of `changed`, `unchanged`, `failed` and `queued` ones, and those beyond one request. */
  readonly matched: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly failed: readonly StatusRefusal[];
  /** Appended to the log, and not carried out in time. */
  readonly queued: number;
  /** There are more to change: repeating the request continues. */
  readonly more: boolean;
}

/** Events per append, and per read of a filter. */
const CHUNK = 1_000;
/** Events that one request changes. */
export const MAX_CHANGED = 10_000;
const TIMEOUT_MS = 14_500;

interface EventBatch {
  readonly matched: number;
  readonly events: readonly Event[];
  readonly failed: readonly StatusRefusal[];
  readonly more: boolean;
}

async function byIds({ ports, tenant }: UseCaseContext, asked: readonly string[]): Promise<EventBatch> {
  const names = new Map(asked.map((name) => [parseEventId(name) ?? name, name]));
  const known = [...names.keys()].filter((id) => parseEventId(id) !== null);
  const events = await ports.events.getMany(tenant, known);
  const found = new Set(events.map(({ id }) => id));
  const unknown = [...names].filter(([id]) => !found.has(id));
  const failed = unknown.map(([, id]) => ({ id, why: `Event ${id} was not found` }));
  return { matched: names.size, events, failed, more: false };
}

/** The earliest first, at most as many as one request changes. */
async function firstOf(ports: Pick<Ports, 'events'>, tenant: string, filter: EventFilter) {
  const events: Event[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null && events.length < MAX_CHANGED) {
    const page = await ports.events.part(tenant, filter, {
      sort: 'createdAt',
      order: 'asc',
      limit: CHUNK,
      ...(cursor === undefined ? {} : { cursor }),
    });
    events.push(...page.items);
    cursor = page.nextCursor;
  }
  return { events, more: cursor !== null && cursor !== undefined };
}

const countOf = async ({ ports, tenant }: UseCaseContext, filter: EventFilter): Promise<number> =>
  (await ports.events.find(tenant, filter, { sort: 'createdAt', order: 'asc', limit: 1 })).total;

/** Returns the statuses of the filter that can change. */
const movable = (filter: EventFilter, to: Status): EventFilter => ({
  ...filter,
  statuses: MOVED_FROM[to].filter((status) => filter.statuses?.includes(status) ?? true),
});

async function byFilter(context: UseCaseContext, filter: EventFilter, to: Status, expect: number): Promise<EventBatch> {
  const matched = await countOf(context, filter);
  if (matched > expect) {
    const message = `Filter matches ${matched} events, expected ${expect}. Refresh the list and retry`;
    throw new Fault('conflict', message, [], { data: { matched } });
  }
  return { matched, failed: [], ...(await firstOf(context.ports, context.tenant, movable(filter, to))) };
}

async function byGroup(context: UseCaseContext, correlationId: string, to: Status): Promise<EventBatch> {
  const { ports, tenant } = context;
  const group = await ports.correlation.group(tenant, correlationId);
  if (group === null) throw notFound('Group', correlationId);
  const filter = { correlationIds: [group.id, ...group.aliases] };
  const matched = await countOf(context, filter);
  const { events, more } = await firstOf(ports, tenant, movable(filter, to));
  return { matched, failed: [], events: events.filter(wasClosed), more };
}

const find = async (context: UseCaseContext, which: EventsMeant, to: Status): Promise<EventBatch> => {
  if ('ids' in which) return byIds(context, which.ids);
  if ('correlationId' in which) return byGroup(context, which.correlationId, to);
  return byFilter(context, await resolveFilter(context, which.filter), to, which.expect);
};

const recordOf = (
  context: UseCaseContext,
  { id }: Event,
  { status, notes, category, until }: StatusChangeInput,
): Incoming => {
  const { caller, idempotencyKey, receivedAt } = context;
  const ask = {
    kind: 'status-set',
    eventId: id,
    status,
    by: actorOf(caller),
    trail: trailOf(context),
    ...(notes !== undefined && { notes }),
    ...(category && { category }),
    ...(until !== undefined && { until }),
  } as const;
  // A repeated request answers for the changes made before it was cut off, and does not make them again.
  return { ask, receivedAt, ...(idempotencyKey !== null && { deliveryId: `status:${idempotencyKey}#${id}` }) };
};

type Tally = { -readonly [K in 'changed' | 'unchanged' | 'queued']: number } & { readonly failed: StatusRefusal[] };

function count(tally: Tally, event: Event, receipt: Receipt | undefined, { status }: StatusChangeInput): void {
  if (receipt === undefined) tally.queued++;
  else if (!receipt.ok) tally.failed.push({ id: eventIdOf(event.id), why: receipt.message });
  else if (event.status === status) tally.unchanged++;
  else tally.changed++;
}

/**
 * Changes the status of events, each with its history and audit entry. A group and a filter skip ended events. Throws
 * Fault `not-found` for an unknown group, `conflict` when more events match than expected.
 */
export async function setStatusOfMany(
  context: UseCaseContext,
  which: EventsMeant,
  wish: StatusChangeInput,
): Promise<StatusOfMany> {
  const { ports, tenant, receivedAt } = context;
  if (wish.until !== undefined && wish.until <= receivedAt) throw invalid('until', 'expected a time in the future');
  // A bulk request is not delayed, and this one depends on earlier answers.
  await ports.eventLog.caughtUp();
  const { matched, events, failed, more } = await find(context, which, wish.status);
  const tally: Tally = { changed: 0, unchanged: 0, queued: 0, failed: [...failed] };
  for (const chunk of slices(events, CHUNK)) {
    const records = chunk.map((event) => recordOf(context, event, wish));
    const isFirst = chunk[0] === events[0];
    const reply = await ports.eventLog.request(tenant, records, { timeoutMs: TIMEOUT_MS }).catch((error: unknown) => {
      if (isFirst || !isUnavailable(error)) throw error;
      return error;
    });
    // The reply lists everything that was done: the rest fails, and the caller retries it.
    if (reply instanceof Fault) {
      tally.failed.push(...chunk.map(({ id }) => ({ id: eventIdOf(id), why: reply.message })));
      continue;
    }
    for (const [i, event] of chunk.entries()) count(tally, event, reply.done ? reply.receipts[i] : undefined, wish);
  }
  await readAfter(() => ports.eventLog.caughtUp(), undefined);
  const left = more ? 0 : matched - failed.length - events.length;
  return { matched, ...tally, unchanged: tally.unchanged + left, more };
}
