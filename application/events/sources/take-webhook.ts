import { type AuditEntry, audit } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import type { EventAction } from '#application/events/event-action.ts';
import { receiveOrNote } from '#application/events/receive.ts';
import { storeRejected } from '#application/events/sources/rejected-payloads.ts';
import { inboundSettings } from '#application/records/tenant-settings.ts';
import { firstItem } from '#domain/assert.ts';
import type { MonitorAction } from '#domain/event/draft.ts';
import { eventIdOf } from '#domain/event/event.ts';
import type { AlertKind } from '#domain/event/identity/alert-kinds.ts';
import { withComplaint } from '#domain/event/identity/stock-alerts.ts';
import type { Receipt } from '#domain/event/incoming.ts';
import { Fault, type FaultKind, invalid } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { MAX_PROBLEMS } from '#schemas/http/problems.ts';
import { isSnsCertificateUrl, isSnsUrl } from '#sources/cloudwatch/sns.ts';
import { entriesOf } from '#sources/kit/items.ts';
import { nearlyJson } from '#sources/kit/nearly-json.ts';
import type { Delivered, InboundSettings, Item, SignedEnvelope, Source, SourceReading } from '#sources/kit/source.ts';
import { sourceNames } from '#sources/sources.ts';
import { sourceFor } from './mappings.ts';

const forged = (why: string): Fault => new Fault('forbidden', `Message rejected: ${why}`);

/** Throws unless the envelope was signed by the cloud it names and its topic is one the tenant listens to. */
const checkAuthenticity = async (ports: Ports, envelope: SignedEnvelope, settings: InboundSettings): Promise<void> => {
  if (!isSnsCertificateUrl(envelope.certificateUrl)) throw forged('SigningCertURL is not an Amazon SNS URL');
  if (settings.snsTopics.length > 0 && !settings.snsTopics.includes(envelope.topic)) {
    throw forged('TopicArn is not allowed in the inbound settings');
  }
  const pem = await ports.certificates.pem(envelope.certificateUrl);
  const algorithm = envelope.signatureVersion === '2' ? 'sha256' : 'sha1';
  if (!ports.crypto.verifyRsa(algorithm, envelope.stringToSign, envelope.signature, pem)) {
    throw forged('invalid signature');
  }
};

const CONFIRM = { timeoutMs: 10_000, maxBytes: 64 * 1_024 };

/** Confirms a subscription by calling its address; only Amazon SNS is ever called. */
const confirmSubscription = async (ports: Ports, url: string): Promise<void> => {
  if (!isSnsUrl(url)) throw forged('SubscribeURL is not an Amazon SNS URL');
  const { status } = await ports.outbound.get(url, CONFIRM).catch((cause: Error) => {
    throw new Fault('unavailable', `Couldn't confirm the subscription: no response from ${cause.message}`, [], {
      retryAfter: 20,
      cause,
    });
  });
  if (status < 200 || status > 299) {
    throw new Fault('unavailable', `Couldn't confirm the subscription: SNS returned ${status}`, [], { retryAfter: 20 });
  }
};

export interface WebhookInput {
  readonly segment: string;
  readonly delivered: Omit<Delivered, 'receivedAt'>;
  /** Applies the marks of the body, before it is processed. */
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
      `Unknown source "${segment}". Known sources: ${sourceNames().join(', ')}, and sources with a mapping`,
    );
  if (caller.kind !== 'jwt') noteToken(context, source);
  const settings = await inboundSettings(ports.records, tenant);
  const reading = await readOrKeep(ports, tenant, source, { ...delivered, receivedAt }, settings);
  if (reading.signed) await checkAuthenticity(ports, reading.signed, settings);
  if (reading.ended !== undefined) await audit(context, endOf(reading.ended));
  if (reading.dropped) ports.metrics.count('faultline_sender_dropped_total', { source: source.name }, reading.dropped);
  const entries = entriesOf(reading.items);
  const rejected = entries.flatMap((item, index) => (item.ok ? [] : [{ index, error: item.error }]));
  if (rejected.length > 0) await storeRejected(ports, tenant, source, rejected, delivered.body);
  if (rejected.length > 0 && entries.every(isBad)) throw refusalOf(entries, delivered.body);
  const items = reading.items.map((item) =>
    item.ok ? { ...item, action: marked(withKind(item.action, settings.alerts)) } : item,
  );
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

/** The assignment of tokens to sources is known by their use alone. */
const noteToken = ({ ports, tenant, caller, receivedAt }: UseCaseContext, { name }: Source): void =>
  ports.memory.sources.note(tenant, name, receivedAt, { tokens: { [caller.credentialId]: receivedAt } });

/** Its monitor is silent from now on, which has no other trace. */
const endOf = (topic: string): AuditEntry => ({
  action: 'subscription.ended',
  target: { kind: 'sns-topic', id: topic },
  before: null,
  after: null,
});

const withKind = (action: MonitorAction, kinds: readonly AlertKind[]): MonitorAction =>
  'draft' in action && action.draft !== undefined ? { ...action, draft: withComplaint(action.draft, kinds) } : action;

const isEventAction = (action: MonitorAction): action is EventAction =>
  action.action !== 'confirm' && action.action !== 'ignore';

/** JSON has been parsed before; protobuf may begin like it. */
const isBrokenJson = ({ body, headers }: Delivered): boolean =>
  typeof body === 'string' && /^\s*[{[]/.test(body) && !/protobuf/i.test(headers['content-type'] ?? '');
const brokenJson = (): Fault =>
  invalid('body', 'expected valid JSON; escape quotes, backslashes and line breaks in strings');

/** Texts that are JSON except for missing escapes are read as if they had them. */
const readMended = (source: Source, delivered: Delivered, settings: InboundSettings): SourceReading => {
  try {
    return source.read(delivered, settings);
  } catch (error) {
    const body = isBrokenJson(delivered) ? nearlyJson(String(delivered.body)) : undefined;
    if (body === undefined) throw error;
    return source.read({ ...delivered, body }, settings);
  }
};

/** A body that can never be valid is stored for the operator, who cannot ask the monitor to send it again. */
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
    await storeRejected(ports, tenant, source, [{ index: null, error: fault.message }], delivered.body);
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

interface ItemRefusal {
  readonly index: number;
  readonly error: string;
  readonly fault: FaultKind;
}

/** Returns actions whose record was set aside, by their entry of the body. */
const refusedOf = (items: readonly Item[], outcomes: ReadonlyMap<MonitorAction, Receipt | null>): ItemRefusal[] => {
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
  // One of its conditions is over, and the event continues.
  const status = receipt.outcome === 'changed' ? 'duplicate_updated' : receipt.outcome;
  return [{ ...common, status, eventId: receipt.id && eventIdOf(receipt.id) }];
};
