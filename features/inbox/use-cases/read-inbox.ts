import type { QueryContext } from '#application/access/context.ts';
import { recentActions } from '#application/access/recent-actions.ts';
import { withTeamsOf } from '#application/access/team-store.ts';
import { currentSilences } from '#application/events/silences/silence-store.ts';
import { actSubjects } from '#application/groups/act-subjects.ts';
import { type ToldRow, toldRows } from '#application/groups/listing/told-rows.ts';
import { silenceName, silenceState } from '#domain/event/silences/silence-rule.ts';
import { zip } from '#domain/zip.ts';
import { actionsFor, type InboxAction, type InboxItem, isIncluded, isRead } from '#features/inbox/rules/inbox.ts';
import { silentSources } from '#features/silent-sources/use-cases/watch-sources.ts';
import { readOf, rulesOf } from './records.ts';

const MAX_ITEMS = 50;
/** Active groups that are checked for a worse state: the most urgent. */
const MAX_WORSE = 100;
const ENDS_WITHIN_MS = 30 * 60_000;

export interface ShownItem extends InboxItem {
  readonly isRead: boolean;
}

const subjectOf = ({ id, kind, title, severity, services }: ToldRow) => ({
  subject: { kind, id },
  title: title ?? id,
  severity,
  services,
});

async function actionItems(context: QueryContext, actions: readonly InboxAction[]): Promise<InboxItem[]> {
  const shown = actions.slice(0, MAX_ITEMS);
  const subjects = await actSubjects(context, [...new Set(shown.map(({ subject }) => subject))]);
  return shown.flatMap(({ kind, at, by, subject: id }) => {
    const found = subjects.get(id);
    if (found === undefined || (kind === 'assigned' && found.to !== null)) return [];
    return [{ ...subjectOf(found), id: `${kind}/${id}/${at}`, kind, at, by }];
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

const UNRATED = { by: null, severity: null, services: [] } as const;

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
  const [rules, read, actions] = await Promise.all([
    rulesOf(context),
    readOf(ports, tenant, caller.id),
    recentActions(context, receivedAt),
  ]);
  const items = await Promise.all([
    actionItems(context, actionsFor({ user: caller, ids }, actions)),
    worseItems(context, ids),
    silenceItems(context),
    sourceItems(context),
  ]);
  return items
    .flat()
    .filter((item) => isIncluded(rules, item))
    .sort((a, b) => b.at - a.at)
    .slice(0, MAX_ITEMS)
    .map((item) => ({ ...item, isRead: isRead(read, item) }));
}
