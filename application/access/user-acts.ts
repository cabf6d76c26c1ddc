import type { AuditRecord } from '#domain/access/records.ts';
import type { Actor } from '#domain/event/event.ts';

/** An action of a user on groups, events or silences, from the audit log. */
export interface UserAct {
  /** Id of the audit entry. */
  readonly id: string;
  readonly at: number;
  readonly actor: Actor;
  /** `event.acknowledged`. */
  readonly action: string;
  /** Ids of groups, of events as they are shown, or of a silence. */
  readonly subjects: readonly string[];
  /** Reason, note, comment or assignee. */
  readonly text: string | null;
  /** The operation that it is part of, which is undone as one. */
  readonly operation: string | null;
  /** Status of the event before and after. */
  readonly status: { readonly from: string; readonly to: string } | null;
}

interface Audited {
  readonly ids?: readonly string[];
  readonly operationId?: string;
  readonly status?: string;
  readonly assignedTo?: { readonly id: string; readonly name?: string };
  readonly assignedTeam?: { readonly id: string; readonly name?: string };
  readonly notes?: string;
  readonly text?: string;
  readonly reason?: string;
}

const assigneesOf = ({ assignedTo, assignedTeam }: Audited): string => `${assignedTo?.id} ${assignedTeam?.id}`;

/** `to Ann`; null: unassigned. */
const assigneeText = ({ assignedTo, assignedTeam }: Audited): string | null => {
  const name = assignedTo?.name ?? assignedTeam?.name;
  return name === undefined ? null : `to ${name}`;
};

/** An update of an event, named after its change. */
const actionOf = (action: string, before: Audited, after: Audited): string => {
  if (action === 'event.correlated') return 'group.merged';
  if (action !== 'event.updated') return action;
  if (before.status !== after.status) return `event.${after.status === 'open' ? 'reopened' : after.status}`;
  if (assigneesOf(before) !== assigneesOf(after)) return 'event.assigned';
  return after.notes === undefined ? action : 'event.noted';
};

export const actOf = ({ id, at, actor, action, target, before, after }: AuditRecord): UserAct => {
  const [was, is] = [(before ?? {}) as Audited, (after ?? {}) as Audited];
  const hasMoved = was.status !== undefined && is.status !== undefined && was.status !== is.status;
  const named = actionOf(action, was, is);
  const assignee = named.endsWith('.assigned') ? assigneeText(is) : null;
  return {
    id,
    at,
    actor,
    action: named,
    subjects: is.ids ?? [target.id],
    text: is.notes ?? is.text ?? is.reason ?? assignee,
    operation: is.operationId ?? null,
    status: hasMoved ? { from: was.status, to: is.status } : null,
  };
};
