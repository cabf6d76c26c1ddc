import type { UseCaseContext } from '#application/access/context.ts';
import { type DueAfter, eachDue, markDue } from '#application/records/due-records.ts';
import { assertDefined } from '#domain/assert.ts';
import type { MonitorAction } from '#domain/event/draft.ts';
import { parseEventId } from '#domain/event/event.ts';
import { Fault } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { MonitorSource } from '#sources/kit/source.ts';
import { takeWebhook } from './take-webhook.ts';

/** Tag of test events for a source. */
export const TEST_TAG = 'test';
/** Time that such an event is open. */
export const OPEN_MS = 5 * 60_000;
const WHAT = 'Test event from the Sources page. It resolves automatically.';
const AFTER: DueAfter = { quietMs: OPEN_MS, latestMs: OPEN_MS };
const KIND = 'source-test';
const MAX_PER_ROUND = 1_000;
const TIMEOUT_MS = 15_000;

interface Test {
  readonly tenant: string;
  /** Id of the event. */
  readonly event: string;
}

const marked = (action: MonitorAction): MonitorAction =>
  action.action === 'open'
    ? { ...action, draft: { ...action.draft, tags: [...(action.draft.tags ?? []), TEST_TAG] } }
    : action;

/** Sends a sample message through the normal endpoint; returns the id of the event, which ends by itself. */
export const testSource = async ({ name, card }: MonitorSource, context: UseCaseContext): Promise<string> => {
  const { ports, tenant, receivedAt } = context;
  const body = card.test({ serial: ports.ids.ulid(), at: receivedAt, what: WHAT });
  const delivered = { body, headers: { 'content-type': 'application/json' } };
  const { results } = await takeWebhook({ segment: name, delivered, marked }, context);
  const eventId = results[0]?.eventId ?? null;
  if (eventId === null) throw new Fault('unavailable', 'Test accepted but not processed yet. Check the event list');
  const event = assertDefined(parseEventId(eventId), 'id of an event');
  await markDue<Test>(ports, [KIND, event], { tenant, event }, AFTER);
  return eventId;
};

const end = async (
  { events, eventLog, clock }: Pick<Ports, 'events' | 'eventLog' | 'clock'>,
  { tenant, event }: Test,
) => {
  const found = await events.get(tenant, event);
  if (found === null || found.status === 'resolved') return;
  const heard = Math.max(found.lastOccurrence, found.updatedAt);
  const silence = { heard, category: 'auto-resolved', notes: 'test events resolve automatically' } as const;
  const record = { ask: { kind: 'expired', eventId: event, silence }, receivedAt: clock.now() } as const;
  await eventLog.request(tenant, [record], { timeoutMs: TIMEOUT_MS });
};

/** Resolves the events of tests that are over. */
export const endTests = (
  ports: Pick<Ports, 'records' | 'events' | 'eventLog' | 'clock'>,
  isStopping: () => boolean,
): Promise<void> => {
  const failed = (count: number): string => `Couldn't end ${count} source tests`;
  return eachDue<Test>(ports, KIND, { most: MAX_PER_ROUND, isStopping, failed }, (test) => end(ports, test));
};
