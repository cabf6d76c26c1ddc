import type { QueryContext } from '#application/access/context.ts';
import { recentActions } from '#application/access/recent-actions.ts';
import { withTeamsOf } from '#application/access/team-store.ts';
import { currentSilences } from '#application/events/silences/silence-store.ts';
import { findRows, isLone } from '#application/groups/listing/list-rows.ts';
import { actSubjects, type ToldRow, toldRows } from '#application/groups/told-rows.ts';
import { ulidTime } from '#domain/access/ulid-time.ts';
import { silenceName, silenceState } from '#domain/event/silences/silence-rule.ts';
import { zip } from '#domain/zip.ts';
import {
  actionsFor,
  type InboxAction,
  type InboxDelivery,
  type InboxItem,
  type InboxRules,
  isIncluded,
  isRead,
} from '#features/inbox/rules/inbox.ts';
import type { EscalationMail } from '#features/on-call/rules/on-call.ts';
import { escalationMails } from '#features/on-call/use-cases/mail-on-call.ts';
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

const subjectOf = ({ id, kind, title, severity, services, to }: ToldRow) => ({
  subject: { kind, id },
  title: title ?? id,
  severity,
  services,
  isOver: to !== null,
});

async function actionItems(context: QueryContext, actions: readonly InboxAction[]): Promise<InboxItem[]> {
  const shown = actions.slice(0, MAX_ITEMS);
  const subjects = await actSubjects(context, [...new Set(shown.map(({ subject }) => subject))]);
  return shown.flatMap(({ kind, at, by, subject: id }) => {
    const found = subjects.get(id);
    return found === undefined ? [] : [{ ...subjectOf(found), id: `${kind}/${id}/${at}`, kind, at, by }];
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
  const told = await toldRows(context, worse);
  return zip(worse, told).map(([{ group, care }, row]) => {
    const at = care.acknowledged?.worse?.since ?? 0;
    return { ...subjectOf(row), id: `worse/${group.id}/${at}`, kind: 'worse', at, by: null };
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
  const told = await toldRows(context, items);
  const found = zip(items, told).map(([row, subject]): InboxItem => {
    const at = ulidTime(isLone(row) ? row.id : row.group.foundedBy) ?? 0;
    return { ...subjectOf(subject), id: CREATED + subject.id, kind: 'created', at, by: null };
  });
  const recent = found.filter(({ at }) => at >= receivedAt - CREATED_MS);
  return [...recent, ...(await formerItems(context, notified, found))];
}

const CREATED = 'created/';

/** Problems that the user was notified of when they were new, and whose severity is another one now. */
async function formerItems(context: QueryContext, notified: Deliveries, shown: readonly InboxItem[]) {
  const known = new Set(shown.map(({ id }) => id));
  const former = [...notified].filter(([id]) => id.startsWith(CREATED) && !known.has(id)).slice(0, MAX_ITEMS);
  const subjects = await actSubjects(
    context,
    former.map(([id]) => id.slice(CREATED.length)),
  );
  return former.flatMap(([id, deliveries]): InboxItem[] => {
    const subject = subjects.get(id.slice(CREATED.length));
    if (subject === undefined) return [];
    return [{ ...subjectOf(subject), id, kind: 'created', at: deliveries.at(-1)?.at ?? 0, by: null }];
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

/** Deliveries of an escalation follow its assignment. */
const escalationsOf = ({ kind, at, subject }: InboxItem, mails: readonly EscalationMail[]): InboxDelivery[] =>
  mails
    .filter((mail) => kind === 'assigned' && mail.group === subject.id && mail.at >= at)
    .map(({ group: _group, ...mail }) => ({ channel: 'email', ...mail }));

/** Returns what the user is notified of by their rules, newest first. */
export async function readInbox(context: QueryContext): Promise<readonly ShownItem[]> {
  const { ports, tenant, caller, receivedAt } = context;
  const ids = await withTeamsOf(ports.records, tenant, caller.id);
  const [mails, rules, read, deliveries, actions] = await Promise.all([
    escalationMails(ports, tenant, caller.id),
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
      deliveries: [...(deliveries.get(item.id) ?? []), ...escalationsOf(item, mails)],
    }))
    .filter(({ isOver, kind, deliveries: sent }) => !isOver || !ENDING.has(kind) || sent.length > 0)
    .slice(0, MAX_ITEMS);
}
