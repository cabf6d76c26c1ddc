import { currentSilences, findSilence } from '#application/events/silences/silence-store.ts';
import { eachActiveTenant } from '#application/records/each-tenant.ts';
import { labelText } from '#domain/event/silences/labels.ts';
import { recurrenceText } from '#domain/event/silences/recurrence.ts';
import {
  type SilenceMatcher,
  type SilenceRule,
  type SilenceState,
  silenceName,
  silenceState,
} from '#domain/event/silences/silence-rule.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Outgoing, WebhookKind } from '#features/webhooks/rules/webhook.ts';
import { queueOutgoing } from '#features/webhooks/use-cases/delivery/queue-outgoing.ts';
import { isWanted } from '#features/webhooks/use-cases/wanted.ts';

const KINDS = {
  planned: 'silence.planned',
  active: 'silence.started',
  past: 'silence.ended',
} as const satisfies Readonly<Record<SilenceState, WebhookKind>>;
const ORDER: readonly SilenceState[] = ['planned', 'active', 'past'];
const MINUTE_MS = 60_000;

/** Kind of the record with the last sent state of each silence, by id. */
const TOLD = 'webhook-silences-told';
const ONE = 'all';
type ToldStates = Readonly<Record<string, SilenceState>>;

const matcherText = (matcher: SilenceMatcher): string =>
  Object.entries(matcher)
    .map(([part, wanted]) =>
      part === 'labels'
        ? (matcher.labels ?? []).map((label) => labelText(label)).join(' ')
        : `${part}=${[wanted].flat().join(',')}`,
    )
    .join(' ');

/** Windows begin and end at whole minutes, so a repeated run has the same sequence. */
const outgoing = (rule: SilenceRule, state: SilenceState, now: number): Outgoing => ({
  kind: KINDS[state],
  resource: { kind: 'silence', id: silenceName(rule.id), name: rule.reason.slice(0, 255) },
  sequence: Math.floor(now / MINUTE_MS) * ORDER.length + ORDER.indexOf(state),
  at: now,
  data: {
    silence: {
      id: silenceName(rule.id),
      state,
      matcher: rule.matcher,
      matches: matcherText(rule.matcher),
      startsAt: new Date(rule.startsAt).toISOString(),
      endsAt: new Date(rule.endsAt).toISOString(),
      ...(rule.recurrence !== undefined && { recurrence: rule.recurrence, recurs: recurrenceText(rule.recurrence) }),
      reason: rule.reason,
      createdBy: { _id: rule.createdBy.id, username: rule.createdBy.username, name: rule.createdBy.name },
    },
  },
});

/** Current silences, and ended ones that were sent before. */
const knownSilences = async ({ records }: Pick<Ports, 'records'>, tenant: string, told: ToldStates) => {
  const { silences } = await currentSilences(records, tenant);
  const ids = new Set(silences.map(({ id }) => id));
  const ended = Object.keys(told).filter((id) => !ids.has(id));
  const found = await Promise.all(ended.map((id) => findSilence(records, tenant, id)));
  return [...silences, ...found.filter((rule) => rule !== null)];
};

const tellTenant = async (ports: Ports, tenant: string): Promise<void> => {
  if (!(await isWanted(ports, tenant, ...Object.values(KINDS)))) {
    await ports.records.remove(tenant, TOLD, ONE);
    return;
  }
  const now = ports.clock.now();
  const stored = await ports.records.get<ToldStates>(tenant, TOLD, ONE);
  const rules = await knownSilences(ports, tenant, stored?.body ?? {});
  const states = new Map(rules.map((rule) => [rule, silenceState(rule, now)]));
  const changed = [...states].filter(([{ id, startsAt }, state]) => {
    const before = stored?.body[id];
    // One that was not known before and is over, or of a time before anyone asked, is no news.
    if (before === undefined) return state !== 'past' && (stored !== null || startsAt > now);
    return state !== before;
  });
  const told = Object.fromEntries([...states].flatMap(([{ id }, state]) => (state === 'past' ? [] : [[id, state]])));
  if (changed.length === 0 && stored !== null) return;
  await queueOutgoing(
    ports,
    tenant,
    changed.map(([rule, state]) => outgoing(rule, state, now)),
  );
  await ports.records.put<ToldStates>(tenant, TOLD, ONE, told);
};

/** Sends planned, started and ended silences, for recurring ones each window. */
export const notifyOfSilences = (ports: Ports, isStopping: () => boolean): Promise<void> => {
  const failed = (count: number): string => `failed to queue webhook deliveries for silences of ${count} tenants`;
  return eachActiveTenant(ports.records, { isStopping, failed }, (tenant) => tellTenant(ports, tenant));
};
