import type { TimedContext } from '#application/access/context.ts';
import { aiSettings, correlationSettings } from '#application/records/tenant-settings.ts';
import { isOn, type ListedGroup, leadingEventOf } from '#domain/correlation/grouping/group-state.ts';
import type { Event } from '#domain/event/event.ts';
import type { LabelMatcher } from '#domain/event/silences/silence-rule.ts';
import { maintainedCi, manualEnd, silenceId } from '#domain/event/silences/silence-rule.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { fnv64 } from '#domain/texts/fnv.ts';
import { uuidOf } from '#domain/texts/ulid-uuid.ts';
import { alertsOf, type EventAlert, type LabelSet, labelsTest } from '#features/alertmanager/rules/event-alerts.ts';

/** Alerts in one reply, the latest first. */
const MAX_ALERTS = 10_000;
const PAGE = 1_000;
const MAX_GROUPS = 2_000;
const GROUPS_PAGE = 100;

/** Alerts that a client asks for; true: also those in this state. */
export interface AlertFilter {
  readonly active: boolean;
  readonly silenced: boolean;
  readonly inhibited: boolean;
  readonly muted: boolean;
  readonly matchers: readonly LabelMatcher[];
  readonly receiver: ((name: string) => boolean) | null;
}
export const RECEIVER = 'faultline';

interface AlertStatus {
  readonly state: 'active' | 'suppressed';
  readonly silencedBy: readonly string[];
  readonly inhibitedBy: readonly string[];
  readonly mutedBy: readonly string[];
}
export interface ListedAlert extends Omit<EventAlert, 'fingerprint'> {
  readonly fingerprint: string;
  readonly status: AlertStatus;
  /** ms. */
  readonly updatedAt: number;
  readonly group: ListedGroup | null;
}

const eventsOf = async ({ ports, tenant }: TimedContext): Promise<readonly Event[]> => {
  const filter = { statuses: ['open', 'acknowledged', 'suppressed'] } as const;
  const events: Event[] = [];
  for (let cursor: string | null | undefined; cursor !== null && events.length < MAX_ALERTS; ) {
    const page = {
      sort: 'lastOccurrence',
      order: 'desc',
      limit: PAGE,
      ...(cursor !== undefined && { cursor }),
    } as const;
    const part = await ports.events.part(tenant, filter, page);
    events.push(...part.items);
    cursor = part.nextCursor;
  }
  return events.slice(0, MAX_ALERTS);
};

/** Groups with open events, by their ids and former ones. */
const groupsOf = async ({ groupRows }: Pick<Ports, 'groupRows'>, tenant: string) => {
  const groups = new Map<string, ListedGroup>();
  let count = 0;
  for (let cursor: string | null | undefined; cursor !== null && count < MAX_GROUPS; ) {
    const page = { sort: 'last', order: 'desc', limit: GROUPS_PAGE, ...(cursor !== undefined && { cursor }) } as const;
    const found = await groupRows.find(tenant, { hasOpen: true }, page);
    for (const row of found.items) for (const id of [row.group.id, ...row.group.aliases]) groups.set(id, row);
    count += found.items.length;
    cursor = found.nextCursor;
  }
  return groups;
};

/** Returns the cause of a group if it is certain enough to stand for its effects, which the tenant wants. */
const causeRule = async ({ ports, tenant }: TimedContext): Promise<(row: ListedGroup | null) => string | null> => {
  const [{ showEffectsAs }, { abstainBelow }] = await Promise.all([
    correlationSettings(ports.records, tenant),
    aiSettings(ports.records, tenant),
  ]);
  return (row) => {
    if (row === null || showEffectsAs !== 'inhibited') return null;
    const lead = leadingEventOf(row);
    const isSet = lead !== null && lead === row.care.verdict?.rootEventId;
    return isSet || (row.group.candidate?.confidence ?? 0) >= abstainBelow ? lead : null;
  };
};

const statusOf = ({ status, silencing }: Event, inhibitedBy: readonly string[]): AlertStatus => {
  const by = status !== 'suppressed' ? null : (silencing?.by ?? RECEIVER);
  const isSilence = by !== null && silencing !== undefined && (maintainedCi(by) ?? manualEnd(by)) === null;
  const silencedBy = isSilence ? [uuidOf(silenceId(by))] : [];
  const mutedBy = by === null || isSilence ? [] : [by];
  const isSuppressed = by !== null || inhibitedBy.length > 0;
  return { state: isSuppressed ? 'suppressed' : 'active', silencedBy, inhibitedBy, mutedBy };
};

const fingerprintOf = (event: Event, { fingerprint, condition }: EventAlert): string =>
  fingerprint ?? fnv64([event.id, condition]);

const isWanted =
  ({ active, silenced, inhibited, muted, matchers, receiver }: AlertFilter) =>
  (alerts: readonly ListedAlert[]): readonly ListedAlert[] => {
    if (receiver !== null && !receiver(RECEIVER)) return [];
    const test = labelsTest(matchers);
    return alerts.filter(
      ({ labels, status: { state, silencedBy, inhibitedBy, mutedBy } }) =>
        (active || state !== 'active') &&
        (silenced || (silencedBy.length === 0 && mutedBy.length === 0)) &&
        (inhibited || inhibitedBy.length === 0) &&
        (muted || mutedBy.length === 0) &&
        test(labels),
    );
  };

/** Everything that is not resolved, as alerts in the order of their fingerprints. */
export const listAlerts = async (context: TimedContext, filter: AlertFilter): Promise<readonly ListedAlert[]> => {
  const { ports, tenant, receivedAt: now } = context;
  const [events, groups, causeOf] = await Promise.all([eventsOf(context), groupsOf(ports, tenant), causeRule(context)]);
  const alerts = events.map((event) => alertsOf(event, now));
  const prints = new Map(
    events.flatMap((event, i) => {
      const [first] = alerts[i] ?? [];
      return isOn(event.status) && first !== undefined ? [[event.id, fingerprintOf(event, first)] as const] : [];
    }),
  );
  const listed = events.flatMap((event, i) => {
    const group = groups.get(event.correlationId ?? '') ?? null;
    const cause = causeOf(group);
    const print = cause === null || cause === event.id ? undefined : prints.get(cause);
    const status = statusOf(event, print === undefined ? [] : [print]);
    return (alerts[i] ?? []).map(
      (alert): ListedAlert => ({
        ...alert,
        fingerprint: fingerprintOf(event, alert),
        status,
        updatedAt: event.updatedAt,
        group,
      }),
    );
  });
  const sorted = listed.toSorted((one, other) => (one.fingerprint < other.fingerprint ? -1 : 1));
  return isWanted(filter)(sorted).slice(0, MAX_ALERTS);
};

export interface AlertGroup {
  readonly labels: LabelSet;
  readonly alerts: readonly ListedAlert[];
}

const groupLabels = ({ group, labels }: ListedAlert): LabelSet => {
  if (group === null) return { alertname: labels.alertname ?? '' };
  const { service, ci } = group.state.names;
  return {
    faultline_group: group.group.id,
    ...(ci.names[0] !== undefined && { ci: ci.names[0] }),
    ...(service.names[0] !== undefined && { service: service.names[0] }),
  };
};

/** One group for each correlation group, and for each name of alerts in none. */
export const groupAlerts = (alerts: readonly ListedAlert[]): AlertGroup[] => {
  const groups = new Map<string, { labels: LabelSet; alerts: ListedAlert[] }>();
  for (const alert of alerts) {
    const labels = groupLabels(alert);
    const key = JSON.stringify(labels);
    const group = groups.get(key) ?? { labels, alerts: [] };
    group.alerts.push(alert);
    groups.set(key, group);
  }
  return [...groups.values()];
};
