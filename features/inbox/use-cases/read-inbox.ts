import type { QueryContext } from '#application/access/context.ts';
import { recentActions } from '#application/access/recent-actions.ts';
import { withTeamsOf } from '#application/access/team-store.ts';
import { currentSilences } from '#application/events/silences/silence-store.ts';
import { findRows, isLone } from '#application/groups/listing/list-rows.ts';
import { ulidTime } from '#domain/access/ulid-time.ts';
import { isOn, type ListedGroup, leadingEventOf } from '#domain/correlation/grouping/group-state.ts';
import { type Event, eventIdOf, parseEventId } from '#domain/event/event.ts';
import { silenceName, silenceState } from '#domain/event/silences/silence-rule.ts';
import {
  actionsFor,
  type InboxAction,
  type InboxDelivery,
  type InboxItem,
  type InboxRules,
  isIncluded,
  isRead,
} from '#features/inbox/rules/inbox.ts';
import { silentSources } from '#features/silent-sources/use-cases/watch-sources.ts';
import { deliveriesOf, readOf, rulesOf } from './records.ts';

const MAX_ITEMS = 50;
/** Active groups that are checked for a worse state: the most urgent. */
const MAX_WORSE = 100;
const CREATED_MS = 7 * 24 * 3_600_000;
const ENDS_WITHIN_MS = 30 * 60_000;

type Deliveries = Awaited<ReturnType<typeof deliveriesOf>>;

/** Kinds that are read when their problem is over; they stay only if the user was notified. */
const ENDING: ReadonlySet<InboxItem['kind']> = new Set(['created', 'assigned']);

export interface ShownItem extends InboxItem {
  readonly isRead: boolean;
  /** Newest first. */
  readonly deliveries: readonly InboxDelivery[];
}

type InboxSubject = Pick<InboxItem, 'subject' | 'title' | 'severity' | 'services' | 'isOver'>;

const ofEvent = ({ title, severity, service, status }: Event, id: string): InboxSubject => ({
  subject: { kind: 'event', id },
  title,
  severity,
  services: service === undefined ? [] : [service],
  isOver: !isOn(status),
});

const ofGroup = ({ group, state }: ListedGroup, title: string): InboxSubject => ({
  subject: { kind: 'group', id: group.id },
  title,
  severity: state.severity,
  services: state.names.service.names,
  isOver: state.status === 'resolved',
});

const titlesOf = async ({ ports, tenant }: QueryContext, rows: readonly ListedGroup[]) => {
  const ids = rows.flatMap((row) => leadingEventOf(row) ?? []);
  const titles = new Map((await ports.events.getMany(tenant, ids)).map(({ id, title }) => [id, title]));
  return (row: ListedGroup): string => titles.get(leadingEventOf(row) ?? '') ?? row.group.id;
};

/** Groups and events by the id that an action has named. */
async function subjectsOf(context: QueryContext, ids: readonly string[]): Promise<ReadonlyMap<string, InboxSubject>> {
  const { ports, tenant } = context;
  const stored = ids.flatMap((id) => parseEventId(id) ?? []);
  const groups = ids.filter((id) => parseEventId(id) === null);
  const [events, found] = await Promise.all([
    ports.events.getMany(tenant, stored),
    Promise.all(groups.map((id) => ports.groupRows.get(tenant, id))),
  ]);
  const rows = groups.flatMap((id, n) => (found[n] == null ? [] : [[id, found[n]] as const]));
  const titleOf = await titlesOf(
    context,
    rows.map(([, row]) => row),
  );
  return new Map([
    ...events.map((event) => [eventIdOf(event.id), ofEvent(event, eventIdOf(event.id))] as const),
    ...rows.map(([id, row]) => [id, ofGroup(row, titleOf(row))] as const),
  ]);
}

async function actionItems(context: QueryContext, actions: readonly InboxAction[]): Promise<InboxItem[]> {
  const shown = actions.slice(0, MAX_ITEMS);
  const subjects = await subjectsOf(context, [...new Set(shown.map(({ subject }) => subject))]);
  return shown.flatMap(({ kind, at, by, subject: id }) => {
    const found = subjects.get(id);
    return found === undefined ? [] : [{ ...found, id: `${kind}/${id}/${at}`, kind, at, by }];
  });
}

/** Groups that became worse after the user, or a user who has them, acknowledged them. */
async function worseItems(context: QueryContext, ids: readonly string[]): Promise<InboxItem[]> {
  const { ports, tenant, caller } = context;
  const page = { sort: 'urgency', order: 'desc', limit: MAX_WORSE } as const;
  const { items } = await ports.groupRows.find(tenant, { statuses: ['active'] }, page);
  const worse = items.filter(({ care: { acknowledged, assignedTo, assignedTeam } }) => {
    if (acknowledged?.worse === undefined) return false;
    return acknowledged.by?.id === caller.id || [assignedTo?.id, assignedTeam?.id].some((id) => id && ids.includes(id));
  });
  const titleOf = await titlesOf(context, worse);
  return worse.map((row) => {
    const at = row.care.acknowledged?.worse?.since ?? 0;
    return { ...ofGroup(row, titleOf(row)), id: `worse/${row.group.id}/${at}`, kind: 'worse', at, by: null };
  });
}

/** Groups, and events in none, of these severities, the newest. */
async function createdItems(
  context: QueryContext,
  { created }: InboxRules,
  notified: Deliveries,
): Promise<InboxItem[]> {
  if (created.length === 0) return formerItems(context, notified, []);
  const { ports, tenant, receivedAt } = context;
  const page = { sort: 'first', order: 'desc', limit: MAX_ITEMS } as const;
  const { items } = await findRows(ports, tenant, { severities: created }, page, 'info');
  const titleOf = await titlesOf(
    context,
    items.flatMap((row) => (isLone(row) ? [] : [row])),
  );
  const found = items.map((row): InboxItem => {
    const founder = isLone(row) ? row.id : row.group.foundedBy;
    const subject = isLone(row) ? ofEvent(row, eventIdOf(row.id)) : ofGroup(row, titleOf(row));
    const at = ulidTime(founder) ?? 0;
    return { ...subject, id: CREATED + subject.subject.id, kind: 'created', at, by: null };
  });
  const recent = found.filter(({ at }) => at >= receivedAt - CREATED_MS);
  return [...recent, ...(await formerItems(context, notified, found))];
}

const CREATED = 'created/';

/** Problems that the user was notified of when they were new, and whose severity is another one now. */
async function formerItems(context: QueryContext, notified: Deliveries, shown: readonly InboxItem[]) {
  const known = new Set(shown.map(({ id }) => id));
  const former = [...notified].filter(([id]) => id.startsWith(CREATED) && !known.has(id)).slice(0, MAX_ITEMS);
  const subjects = await subjectsOf(
    context,
    former.map(([id]) => id.slice(CREATED.length)),
  );
  return former.flatMap(([id, deliveries]): InboxItem[] => {
    const subject = subjects.get(id.slice(CREATED.length));
    return subject === undefined ? [] : [{ ...subject, id, kind: 'created', at: deliveries.at(-1)?.at ?? 0, by: null }];
  });
}

const UNRATED = { by: null, severity: null, services: [], isOver: false } as const;

async function silenceItems({ ports, tenant, caller, receivedAt: now }: QueryContext): Promise<InboxItem[]> {
  const { silences } = await currentSilences(ports.records, tenant);
  return silences
    .filter((rule) => rule.createdBy.id === caller.id && silenceState(rule, now) === 'active')
    .filter(({ endsAt }) => endsAt - now <= ENDS_WITHIN_MS)
    .map(({ id, reason, createdAt, endsAt }) => ({
      ...UNRATED,
      id: `silence/${id}/${endsAt}`,
      kind: 'silence',
      at: Math.max(createdAt, endsAt - ENDS_WITHIN_MS),
      subject: { kind: 'silence', id: silenceName(id) },
      title: reason,
    }));
}

async function sourceItems({ ports, tenant }: QueryContext): Promise<InboxItem[]> {
  return (await silentSources(ports, tenant)).map(({ title, since, eventId }) => ({
    ...UNRATED,
    id: `source/${eventId}`,
    kind: 'source',
    at: since,
    subject: { kind: 'event', id: eventId },
    title,
  }));
}

/** Returns what the user is notified of by their rules, newest first. */
export async function readInbox(context: QueryContext): Promise<readonly ShownItem[]> {
  const { ports, tenant, caller, receivedAt } = context;
  const ids = await withTeamsOf(ports.records, tenant, caller.id);
  const [rules, read, deliveries, actions] = await Promise.all([
    rulesOf(context),
    readOf(ports, tenant, caller.id),
    deliveriesOf(ports, tenant, caller.id),
    recentActions(context, receivedAt),
  ]);
  const items = await Promise.all([
    createdItems(context, rules, deliveries),
    actionItems(context, actionsFor({ user: caller, ids }, actions)),
    worseItems(context, ids),
    silenceItems(context),
    sourceItems(context),
  ]);
  return items
    .flat()
    .filter((item) => isIncluded(rules, item))
    .sort((a, b) => b.at - a.at)
    .map((item) => ({
      ...item,
      isRead: isRead(read, item) || (item.isOver && ENDING.has(item.kind)),
      deliveries: deliveries.get(item.id) ?? [],
    }))
    .filter(({ isOver, kind, deliveries: sent }) => !isOver || !ENDING.has(kind) || sent.length > 0)
    .slice(0, MAX_ITEMS);
}
