import { recentActions } from '#application/access/recent-actions.ts';
import { actOf, type UserAct } from '#application/access/user-acts.ts';
import { findSilence } from '#application/events/silences/silence-store.ts';
import { entriesOf } from '#application/groups/entries.ts';
import { findListed, rowsOfPeriod } from '#application/groups/listing/rows-of-period.ts';
import { hitsOfRows } from '#application/groups/services-of-causes.ts';
import { actSubjects, type ToldRow, toldRows } from '#application/groups/told-rows.ts';
import { aiSettings } from '#application/records/tenant-settings.ts';
import { silenceId } from '#domain/event/silences/silence-rule.ts';
import { silencedOn } from '#features/questions/use-cases/tools/kinds/silences.ts';
import type {
  HandoverAct,
  HandoverGroup,
  HandoverOpenGroup,
  HandoverRead,
} from '#features/reports/rules/templates/handover.ts';
import { goOn, type ReportReading } from './reading.ts';

const OPEN = 50;
const MAX_ACTS = 200;

/** Verdict of a user, else the confidence of the cause. */
const causeOf = ({ verdict, confidence, kind }: ToldRow, abstainBelow: number): HandoverGroup['cause'] => {
  if (kind === 'event') return null;
  if (verdict !== null && verdict.cause !== 'unknown')
    return {
      by: verdict.by.name,
      as: verdict.cause === 'right' ? 'confirmed' : verdict.rootEventId ? 'set' : 'rejected',
    };
  return confidence === null || confidence < abstainBelow ? null : { confidence };
};

const groupOf =
  (abstainBelow: number) =>
  (row: ToldRow): HandoverGroup => ({
    id: row.id,
    title: row.title ?? row.id,
    place: row.place,
    severity: row.severity ?? 'info',
    state: row.status,
    began: row.from,
    last: row.last,
    ended: row.to,
    events: row.events,
    assignee: row.assignee,
    cause: causeOf(row, abstainBelow),
  });

/** The last note on a group or event. */
async function noteOn(
  { asking: { ports, tenant } }: ReportReading,
  { row }: ToldRow,
): Promise<HandoverOpenGroup['note']> {
  if (!('group' in row)) {
    const last = row.history.findLast(({ by, notes }) => by !== null && notes !== undefined);
    return last?.by ? { by: last.by.name, at: last.at, text: last.notes ?? '' } : null;
  }
  const last = (await entriesOf(ports, tenant, row.group)).findLast(({ kind }) => kind === 'note');
  return last === undefined ? null : { by: last.by.name, at: last.at, text: last.text };
}

async function openGroups(reading: ReportReading, abstainBelow: number) {
  const { asking } = reading;
  const page = { sort: 'urgency', order: 'desc', limit: OPEN } as const;
  const found = await findListed(asking, { statuses: ['active', 'acknowledged'] }, page);
  const told = await toldRows(asking, found.items);
  const leads = new Map(told.map(({ id, lead }) => [id, lead]));
  const hits = await hitsOfRows(asking, found.items, ({ group }) => leads.get(group.id));
  const rows: HandoverOpenGroup[] = [];
  for (const row of told) {
    goOn(reading);
    const id = 'group' in row.row ? row.row.group.id : row.row.id;
    const services = [...new Set((hits.get(id)?.now ?? []).map(({ service }) => service.name))];
    rows.push({ ...groupOf(abstainBelow)(row), services, note: await noteOn(reading, row) });
  }
  const unassigned = await findListed(asking, { statuses: ['active', 'acknowledged'], assignee: null }, page);
  return { rows, total: found.total, unassigned: unassigned.total };
}

/** Name of the subjects of an action. */
async function subjectText({ asking }: ReportReading, { subjects }: UserAct, named: ReadonlyMap<string, ToldRow>) {
  const [first = ''] = subjects;
  const silence = first.startsWith('SIL-')
    ? await findSilence(asking.ports.records, asking.tenant, silenceId(first))
    : null;
  const text = silence === null ? (named.get(first)?.title ?? first) : `${first}: ${silence.reason}`;
  return subjects.length > 1 ? `${text} and ${subjects.length - 1} more` : text;
}

/** Actions of users in the range, newest first. */
async function actsOf(
  reading: ReportReading,
): Promise<{ readonly rows: readonly HandoverAct[]; readonly total: number }> {
  const { asking, chosen } = reading;
  const { from, to } = chosen.range;
  const records = await recentActions(asking, asking.receivedAt);
  const all = records.filter(({ at }) => at >= from && at < to).map(actOf);
  const acts = all.slice(0, MAX_ACTS);
  const named = await actSubjects(asking, [...new Set(acts.flatMap(({ subjects }) => subjects.slice(0, 1)))]);
  const rows = await Promise.all(
    acts.map(
      async (act): Promise<HandoverAct> => ({
        at: act.at,
        user: act.actor.name,
        action: act.action,
        subject: await subjectText(reading, act, named),
        text: act.text,
      }),
    ),
  );
  return { rows, total: all.length };
}

/** Reads groups of the range, open ones, actions of users, silences and who is on call. */
export async function readHandover(reading: ReportReading): Promise<HandoverRead> {
  const { asking, chosen } = reading;
  const { ports, tenant, receivedAt: now } = asking;
  const { abstainBelow } = await aiSettings(ports.records, tenant);
  const { began, hasMore, resolved } = await rowsOfPeriod(
    asking,
    chosen.range.to < now ? chosen.range : { from: chosen.range.from },
  );
  goOn(reading);
  const silences = await silencedOn(asking, null, ['active', 'planned']);
  const onCall = await Promise.all(ports.reportParts.map((part) => part.onCall?.(reading) ?? []));
  return {
    began: (await toldRows(asking, began)).map(groupOf(abstainBelow)),
    hasMore,
    resolved,
    open: await openGroups(reading, abstainBelow),
    acts: await actsOf(reading),
    silences: silences.map(({ what, state, from, to, by, reason }) => ({
      what,
      state,
      from: from === null ? null : Date.parse(from),
      to: to === null ? null : Date.parse(to),
      by,
      reason,
    })),
    onCall: onCall.flat(),
    now,
  };
}
