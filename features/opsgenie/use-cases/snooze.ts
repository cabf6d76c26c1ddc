import type { UseCaseContext } from '#application/access/context.ts';
import { amended } from '#application/events/amended.ts';
import { appendAndWait } from '#application/events/append-and-wait.ts';
import { silencedOccurrence } from '#application/events/silences/known-silences.ts';
import { everySilence } from '#application/events/silences/silence-store.ts';
import type { Event } from '#domain/event/event.ts';
import type { SilenceMatcher } from '#domain/event/silences/silence-rule.ts';
import { Fault } from '#domain/fault.ts';
import { sameJson } from '#domain/same-json.ts';
import type { AlertRequest } from '#features/opsgenie/rules/request-id.ts';
import { changeSilence, createSilence } from '#features/silences/use-cases/silences.ts';
import { type AlertName, alertNamed } from './alerts.ts';

export interface WantedSnooze {
  /** ms. */
  readonly endsAt: number;
  readonly note?: string | undefined;
  readonly user?: string | undefined;
}

const matcherOf = ({ source, sourceId }: Event): SilenceMatcher => ({
  source,
  labels: [{ name: 'sourceId', op: '=', value: sourceId }],
});

/** Problems of a silence in the words of this dialect. */
const renamed = (error: unknown): never => {
  if (!(error instanceof Fault) || error.problems[0]?.field !== 'endsAt') throw error;
  const [{ reason }] = error.problems;
  throw new Fault('invalid', `endTime: ${reason}`, [{ field: 'endTime', reason }]);
};

/** A new silence, or the end of the one that an earlier request set. */
const silence = async (context: UseCaseContext, event: Event, { endsAt, note, user }: WantedSnooze): Promise<void> => {
  const { ports, tenant, receivedAt } = context;
  const matcher = matcherOf(event);
  const all = await everySilence(ports.records, tenant);
  const before = all.find((rule) => rule.endsAt > receivedAt && sameJson(rule.matcher, matcher));
  const reason = note?.slice(0, 1_024) || `Snoozed in Opsgenie's API: ${event.title}`.slice(0, 1_024);
  if (before !== undefined) await changeSilence(context, before.id, { endsAt, reason });
  else await createSilence(context, { matcher, endsAt, reason, ...(user !== undefined && { author: user }) });
};

/** Suppresses the alert until then; it opens again if it still fires. */
export const snoozeAlert = async (
  context: UseCaseContext,
  name: AlertName,
  wanted: WantedSnooze,
): Promise<AlertRequest> => {
  const { ports, tenant, receivedAt: now } = context;
  const event = await alertNamed(context, name);
  if (event !== null) {
    await silence(context, event, wanted).catch(renamed);
    const compiled = await ports.memory.silences.of(ports, tenant, now);
    const judging = { tenant, compiled, held: ports.memory.silences.held, now };
    const occurrence = silencedOccurrence(amended(event, ports.ids.ulid(), {}), undefined, judging);
    await appendAndWait(ports, tenant, { kind: 'occurred', occurrence }, now);
  }
  return { action: 'snooze', eventId: event?.id ?? null, at: now };
};
