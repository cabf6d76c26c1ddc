import { type AuditEntry, audit } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { checkAuthenticity, confirmSubscription } from '#application/events/authenticity.ts';
import type { EventAction } from '#application/events/event-action.ts';
import { receiveOrNote } from '#application/events/receive.ts';
import { keepRejected } from '#application/events/sources/rejected-payloads.ts';
import { inboundSettings } from '#application/records/tenant-settings.ts';
import type { MonitorAction } from '#domain/event/draft.ts';
import { eventIdOf } from '#domain/event/event.ts';
import type { Receipt } from '#domain/event/incoming.ts';
import { Fault, type FaultKind, invalid } from '#domain/fault.ts';
import { firstItem } from '#domain/known.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { MAX_PROBLEMS } from '#schemas/http/problems.ts';
import { entriesOf } from '#schemas/sources/items.ts';
import { nearlyJson } from '#schemas/sources/nearly-json.ts';
import type { Delivered, InboundSettings, Item, Source, SourceReading } from '#schemas/sources/source.ts';
import { sourceNames } from '#schemas/sources/sources.ts';
import { sourceFor } from './mappings.ts';

export interface WebhookInput {
  readonly segment: string;
  readonly delivered: Omit<Delivered, 'receivedAt'>;
  /** Changes what the body asks for, before it is done. */
  readonly marked?: (action: MonitorAction) => MonitorAction;
}
interface WebhookResult {
  sourceId: string | null;
  action: string;
  status: string;
  eventId: string | null;
  reason?: string;
}
export interface WebhookOutcome {
  readonly source: string;
  readonly received: number;
  readonly results: readonly WebhookResult[];
  readonly rejected: readonly { readonly index: number; readonly error: string }[];
}

/** Turns the post of a monitor into events. */
export async function takeWebhook(
  { segment, delivered, marked = (action) => action }: WebhookInput,
  context: UseCaseContext,
): Promise<WebhookOutcome> {
  const { tenant, ports, receivedAt, idempotencyKey, caller } = context;
  const source = await sourceFor(ports.records, tenant, segment);
  if (!source)
    throw new Fault(
      'not-found',
      `Unknown source "${segment}"; known are ${sourceNames().join(', ')}, and those that have a mapping`,
    );
  if (caller.kind !== 'jwt') noteToken(context, source);
  const settings = await inboundSettings(ports.records, tenant);
  const reading = await readOrKeep(ports, tenant, source, { ...delivered, receivedAt }, settings);
  if (reading.signed) await checkAuthenticity(ports, reading.signed, settings);
  if (reading.ended !== undefined) await audit(context, endOf(reading.ended));
  if (reading.dropped) ports.metrics.count('faultline_sender_dropped_total', { source: source.name }, reading.dropped);
  const entries = entriesOf(reading.items);
  const rejected = entries.flatMap((item, index) => (item.ok ? [] : [{ index, error: item.error }]));
  if (rejected.length > 0) await keepRejected(ports, tenant, source, rejected, delivered.body);
  if (rejected.length > 0 && entries.every(isBad)) throw refusalOf(entries, delivered.body);
  const items = reading.items.map((item) => (item.ok ? { ...item, action: marked(item.action) } : item));
  const actions = items.flatMap((item) => (item.ok ? [item.action] : []));
  for (const action of actions) if (action.action === 'confirm') await confirmSubscription(ports, action.url);
  const concerning = actions.filter(isEventAction);
  const receipts = await receiveOrNote(ports, concerning, { tenant, receivedAt, idempotencyKey });
  const outcomes = new Map(concerning.map((action, index) => [action as MonitorAction, receipts[index] ?? null]));
  const failed = refusedOf(items, outcomes);
  if (failed.length > 0 && failed.length === actions.length)
    throw new Fault(firstItem(failed).fault, firstItem(failed).error);
  const results = actions.flatMap((action) => resultOf(action, outcomes.get(action) ?? null));
  const all = [...rejected, ...failed.map(({ index, error }) => ({ index, error }))];
  return { source: source.name, received: entries.length, results, rejected: all.sort((a, b) => a.index - b.index) };
}

/** Which tokens feed which source is known by their use alone. */
const noteToken = ({ ports, tenant, caller, receivedAt }: UseCaseContext, { name }: Source): void =>
  ports.memory.sources.note(tenant, name, receivedAt, { tokens: { [caller.credentialId]: receivedAt } });

/** Its monitor is silent from now on, which nothing else would tell. */
const endOf = (topic: string): AuditEntry => ({
  action: 'subscription.ended',
  target: { kind: 'sns-topic', id: topic },
  before: null,
  after: null,
});

const isEventAction = (action: MonitorAction): action is EventAction =>
  action.action !== 'confirm' && action.action !== 'ignore';

/** JSON has been parsed before; protobuf may begin like it. */
const isBrokenJson = ({ body, headers }: Delivered): boolean =>
  typeof body === 'string' && /^\s*[{[]/.test(body) && !/protobuf/i.test(headers['content-type'] ?? '');
const brokenJson = (): Fault =>
  invalid('body', 'expected valid JSON: a text in it must escape quotes, backslashes and line breaks');

/** Texts that are JSON but for what a script did not escape are read as if it had. */
const readMended = (source: Source, delivered: Delivered, settings: InboundSettings): SourceReading => {
  try {
    return source.read(delivered, settings);
  } catch (error) {
    const body = isBrokenJson(delivered) ? nearlyJson(String(delivered.body)) : undefined;
    if (body === undefined) throw error;
    return source.read({ ...delivered, body }, settings);
  }
};

/** A body that can never be valid is kept for the operator, who cannot ask the monitor to send it again. */
const readOrKeep = async (
  ports: Ports,
  tenant: string,
  source: Source,
  delivered: Delivered,
  settings: InboundSettings,
): Promise<SourceReading> => {
  try {
    return readMended(source, delivered, settings);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const fault = isBrokenJson(delivered) ? brokenJson() : error;
    await keepRejected(ports, tenant, source, [{ index: null, error: fault.message }], delivered.body);
    throw fault;
  }
};

type BadItem = Extract<Item, { ok: false }>;
const isBad = (item: Item): item is BadItem => !item.ok;

/** `state` of a body, `[3].state` of the fourth in a list. */
const fieldIn = (field: string, index: number, isList: boolean): string =>
  !isList ? field : field === 'body' ? `[${index}]` : `[${index}].${field}`;

/** Nothing in the body can be read. */
const refusalOf = (items: readonly BadItem[], body: unknown): Fault => {
  const isList = Array.isArray(body) || items.length > 1;
  const problems = items.flatMap((item, index) =>
    item.problems.map(({ field, reason }) => ({ field: fieldIn(field, index, isList), reason })),
  );
  return new Fault('invalid', firstItem(items).error, problems.slice(0, MAX_PROBLEMS));
};

interface Refused {
  readonly index: number;
  readonly error: string;
  readonly fault: FaultKind;
}

/** Actions whose record was set aside, by the entry of the body that they came from. */
const refusedOf = (items: readonly Item[], outcomes: ReadonlyMap<MonitorAction, Receipt | null>): Refused[] => {
  let index = -1;
  return items.flatMap((item) => {
    if (!item.ok || !item.also) index += 1;
    const receipt = item.ok ? outcomes.get(item.action) : undefined;
    return receipt && !receipt.ok ? [{ index, error: receipt.message, fault: receipt.fault }] : [];
  });
};

const resultOf = (action: MonitorAction, receipt: Receipt | null): WebhookResult[] => {
  const sourceId = 'sourceId' in action ? action.sourceId : action.draft.sourceId;
  const common = { sourceId, action: action.action };
  if (action.action === 'confirm') return [{ ...common, status: 'confirmed', eventId: null }];
  if (action.action === 'ignore') return [{ ...common, status: 'ignored', eventId: null, reason: action.reason }];
  if (receipt === null) return [{ ...common, status: 'queued', eventId: null }];
  if (!receipt.ok) return [];
  // One of its conditions is over, and it goes on.
  const status = receipt.outcome === 'changed' ? 'duplicate_updated' : receipt.outcome;
  return [{ ...common, status, eventId: receipt.id && eventIdOf(receipt.id) }];
};
