import type { UseCaseContext } from '#application/access/context.ts';
import { type DueAfter, eachDue, markDue } from '#application/records/due-records.ts';
import type { MonitorAction } from '#domain/event/draft.ts';
import { parseEventId } from '#domain/event/event.ts';
import { Fault } from '#domain/fault.ts';
import { known } from '#domain/known.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Source } from '#schemas/sources/source.ts';
import { testBodyOf } from '#schemas/sources/test-bodies.ts';
import { takeWebhook } from './take-webhook.ts';

/** Tag of events that tell that a source arrives. */
export const TEST_TAG = 'test';
/** How long such an event is open. */
export const OPEN_MS = 5 * 60_000;
const WHAT = 'Sent from the page of this source, to see that the way is open. It ends by itself.';
const AFTER: DueAfter = { quietMs: OPEN_MS, latestMs: OPEN_MS };
const KIND = 'source-test';
const MOST_PER_ROUND = 1_000;
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

/** Sends what the monitor would send on the way on which it would arrive; returns the id of the event, which ends by itself. */
export const testSource = async ({ name }: Source, context: UseCaseContext): Promise<string> => {
  const { ports, tenant, receivedAt } = context;
  const sent = testBodyOf(name, { serial: ports.ids.ulid(), at: receivedAt, what: WHAT });
  const { results } = await takeWebhook({ segment: name, delivered: sent, marked }, context);
  const eventId = results[0]?.eventId ?? null;
  if (eventId === null)
    throw new Fault('unavailable', 'The test was taken, and is not an event yet: look for it in the list of events');
  const event = known(parseEventId(eventId), 'id of an event');
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
  const silence = { heard, category: 'auto-resolved', notes: 'a test ends by itself' } as const;
  const record = { ask: { kind: 'expired', eventId: event, silence }, receivedAt: clock.now() } as const;
  await eventLog.request(tenant, [record], { timeoutMs: TIMEOUT_MS });
};

/** Resolves the events of tests that are over. */
export const endTests = (
  ports: Pick<Ports, 'records' | 'events' | 'eventLog' | 'clock'>,
  isStopping: () => boolean,
): Promise<void> => {
  const failed = (count: number): string => `${count} tests of sources could not be ended`;
  return eachDue<Test>(ports, KIND, { most: MOST_PER_ROUND, isStopping, failed }, (test) => end(ports, test));
};
