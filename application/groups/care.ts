import { audited } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import type { GroupEntry } from '#domain/correlation/grouping/group-entry.ts';
import { GROUP_CARE, type GroupCare } from '#domain/correlation/grouping/group-state.ts';
import { isOvertaken } from '#domain/fault.ts';
import { sameJson } from '#domain/same-json.ts';
import type { SideRecord } from '#domain/side-record.ts';
import { entryOf } from './entries.ts';
import { findGroup } from './find-group.ts';

/** Changes of one group that cross each other this often are none any more. */
const TRIES = 5;

export interface CareChange {
  /** Of the audit trail. */
  readonly action: string;
  readonly kind: GroupEntry['kind'];
  /** The same object, or an equal one, when nothing changes. */
  readonly change: (before: GroupCare) => GroupCare;
  /** One sentence on what has changed. */
  readonly text: (after: GroupCare) => string;
  /** Kept with it in the place of an audit entry of its own. */
  readonly sideRecords?: (before: GroupCare, after: GroupCare) => readonly SideRecord[];
}

/** Changes what is kept beside a group, with its entry and that of the audit trail: whether it did. Throws Fault `not-found`. */
export const changeCare = async (
  context: UseCaseContext,
  id: string,
  { action, kind, change, text, sideRecords: kept }: CareChange,
): Promise<boolean> => {
  const { tenant, ports } = context;
  for (let tries = 1; ; tries++) {
    const { group, care } = await findGroup(ports, tenant, id);
    const stored = await ports.records.get<GroupCare>(tenant, GROUP_CARE, group.id);
    // Members of a merged group are not stored under this id yet.
    const before = stored?.body ?? care;
    const after = change(before);
    if (sameJson(before, after)) return false;
    const target = { kind: 'group', id: group.id };
    const entry = entryOf(context, group.id, { kind, text: text(after) });
    const sideRecords = [entry, ...(kept?.(before, after) ?? [audited(context, { action, target, before, after })])];
    try {
      await ports.records.put(tenant, GROUP_CARE, group.id, after, { expected: stored?.revision ?? 0, sideRecords });
      await ports.groupRows.refresh(tenant, [group.id]);
      ports.live.recordChanged(tenant, 'group', group.id);
      return true;
    } catch (error) {
      if (!isOvertaken(error) || tries === TRIES) throw error;
    }
  }
};

/** Keeps a note with a group; throws Fault `not-found`. */
export const noteOnGroup = async (context: UseCaseContext, id: string, text: string): Promise<void> => {
  const { tenant, ports } = context;
  const { group } = await findGroup(ports, tenant, id);
  const { kind, id: entryId, body } = entryOf(context, group.id, { kind: 'note', text });
  const target = { kind: 'group', id: group.id };
  const sideRecords = [audited(context, { action: 'group.noted', target, before: null, after: { text } })];
  await ports.records.put(tenant, kind, entryId, body, { sideRecords });
  ports.live.recordChanged(tenant, 'group', group.id);
};
