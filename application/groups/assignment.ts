import { audited } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { inTurn } from '#application/records/in-turn.ts';
import { readAfter } from '#application/records/read-after.ts';
import type { GroupEntry } from '#domain/correlation/grouping/group-entry.ts';
import { GROUP_CARE, type GroupAssignment } from '#domain/correlation/grouping/group-state.ts';
import { sameJson } from '#domain/same-json.ts';
import type { SideRecord } from '#domain/side-record.ts';
import { entryOf } from './entries.ts';
import { findGroup } from './find-group.ts';

export interface AssignmentChange {
  /** Action in the audit trail. */
  readonly action: string;
  readonly kind: GroupEntry['kind'];
  /** The same object, or an equal one, when nothing changes. */
  readonly change: (before: GroupAssignment) => GroupAssignment;
  /** Returns one sentence on the change. */
  readonly text: (after: GroupAssignment) => string;
  /** Stored with it instead of an audit entry of its own. */
  readonly sideRecords?: (before: GroupAssignment, after: GroupAssignment) => readonly SideRecord[];
}

/** The care as it is now, and the entry that was written for it; null when nothing changed. */
export interface AssignmentChanged {
  readonly care: GroupAssignment;
  readonly entry: GroupEntry | null;
}

const changed = async (
  context: UseCaseContext,
  id: string,
  { action, kind, change, text, sideRecords: kept }: AssignmentChange,
): Promise<AssignmentChanged> => {
  const { tenant, ports } = context;
  const { group, care } = await findGroup(ports, tenant, id);
  const stored = await ports.records.get<GroupAssignment>(tenant, GROUP_CARE, group.id);
  // Members of a merged group are not stored under this id yet.
  const before = stored?.body ?? care;
  const after = change(before);
  if (sameJson(before, after)) return { care: before, entry: null };
  const target = { kind: 'group', id: group.id };
  const entry = entryOf(context, group.id, { kind, text: text(after) });
  const sideRecords = [entry, ...(kept?.(before, after) ?? [audited(context, { action, target, before, after })])];
  await ports.records.put(tenant, GROUP_CARE, group.id, after, { expected: stored?.revision ?? 0, sideRecords });
  // It is written: a list that is late shows it with the next change.
  await readAfter(() => ports.groupRows.refresh(tenant, [group.id]), undefined);
  ports.live.recordChanged(tenant, 'group', group.id);
  return { care: after, entry: entry.body };
};

/** Changes the assignment of a group, with its entry and that of the audit trail; throws Fault `not-found`. */
export const changeAssignment = (
  context: UseCaseContext,
  id: string,
  change: AssignmentChange,
): Promise<AssignmentChanged> => {
  const { tenant, ports } = context;
  return inTurn(ports, { of: ['group', tenant, id], ifMatch: null }, () => changed(context, id, change));
};

/** Adds a note to a group; throws Fault `not-found`. */
export const noteOnGroup = async (context: UseCaseContext, id: string, text: string): Promise<GroupEntry> => {
  const { tenant, ports } = context;
  const { group } = await findGroup(ports, tenant, id);
  const { kind, id: entryId, body } = entryOf(context, group.id, { kind: 'note', text });
  const target = { kind: 'group', id: group.id };
  const sideRecords = [audited(context, { action: 'group.noted', target, before: null, after: { text } })];
  await ports.records.put(tenant, kind, entryId, body, { sideRecords });
  ports.live.recordChanged(tenant, 'group', group.id);
  return body;
};
