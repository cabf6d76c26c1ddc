import type { QueryContext } from '#application/access/context.ts';
import { recentActions } from '#application/access/recent-actions.ts';
import { actOf, type UserAct } from '#application/access/user-acts.ts';
import { currentSilences } from '#application/events/silences/silence-store.ts';
import { actSubjects } from '#application/groups/told-rows.ts';
import { silenceName } from '#domain/event/silences/silence-rule.ts';
import { type ActUndo, undoOf } from '#features/inbox/rules/activity.ts';

const MOST = 50;

/** An own action with its undo; null: none is left. */
export interface OwnAct extends Pick<UserAct, 'id' | 'at' | 'action' | 'text'> {
  readonly subject: { readonly kind: 'group' | 'event' | 'silence'; readonly id: string };
  readonly title: string;
  /** Number of subjects beside it. */
  readonly more: number;
  readonly undo: ActUndo | null;
}

/** Returns actions of the user on groups, events and silences in the last seven days, newest first. */
export async function readActivity(context: QueryContext): Promise<readonly OwnAct[]> {
  const { ports, tenant, caller, receivedAt: now } = context;
  const all = (await recentActions(context, now)).map(actOf);
  const own = all.flatMap((act, at) => (act.actor.id === caller.id ? [{ act, later: all.slice(0, at) }] : []));
  const shown = own.slice(0, MOST);
  const firsts = shown.flatMap(({ act }) => act.subjects.slice(0, 1));
  const [named, { silences }] = await Promise.all([
    actSubjects(context, [...new Set(firsts)]),
    currentSilences(ports.records, tenant),
  ]);
  const rules = new Map(silences.map((rule) => [silenceName(rule.id), rule]));
  return shown.map(({ act, later }): OwnAct => {
    const { id, at, action, text, subjects } = act;
    const [first = ''] = subjects;
    const [row, rule] = [named.get(first), rules.get(first)];
    const status = row !== undefined && !('group' in row.row) ? row.row.status : undefined;
    const kind = action.startsWith('silence.') ? 'silence' : (row?.kind ?? 'event');
    return {
      id,
      at,
      action,
      text: kind === 'silence' ? null : text,
      subject: { kind, id: row?.id ?? first },
      title: row?.title ?? rule?.reason ?? (kind === 'silence' ? text : null) ?? first,
      more: subjects.length - 1,
      undo: undoOf(act, { status, lasts: rule !== undefined && rule.endsAt > now, later, now }),
    };
  });
}
