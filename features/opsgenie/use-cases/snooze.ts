import type { UseCaseContext } from '#application/access/context.ts';
import { amended } from '#application/events/amended.ts';
import { appendAndWait } from '#application/events/append-and-wait.ts';
import { silencedOccurrence } from '#application/events/silences/known-silences.ts';
import { everySilence } from '#application/events/silences/silence-store.ts';
import { lifecycleSettings } from '#application/records/tenant-settings.ts';
import type { Event } from '#domain/event/event.ts';
import type { SilenceMatcher } from '#domain/event/silences/silence-rule.ts';
import { invalid } from '#domain/fault.ts';
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

/** Throws Fault `invalid` in the words of this dialect. */
const requireEnd = async ({ ports, tenant, receivedAt }: UseCaseContext, endsAt: number): Promise<void> => {
  const { maxSilenceMs } = await lifecycleSettings(ports.records, tenant);
  if (endsAt <= receivedAt) throw invalid('endTime', 'expected a time in the future');
  if (maxSilenceMs !== null && endsAt - receivedAt > maxSilenceMs)
    throw invalid('endTime', `expected a time in the next ${maxSilenceMs / 60_000} minutes`);
};

/** Creates a silence, or moves the end of the one of an earlier request. */
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
  await requireEnd(context, wanted.endsAt);
  const event = await alertNamed(context, name);
  if (event !== null) {
    await silence(context, event, wanted);
    const compiled = await ports.memory.silences.of(ports, tenant, now);
    const judging = { tenant, compiled, held: ports.memory.silences.held, now };
    const occurrence = silencedOccurrence(amended(event, ports.ids.ulid(), {}), undefined, judging);
    await appendAndWait(ports, tenant, { kind: 'occurred', occurrence }, now);
  }
  return { action: 'snooze', eventId: event?.id ?? null, at: now };
};
