import { inTurn } from '#application/records/in-turn.ts';
import { readAfter } from '#application/records/read-after.ts';
import { entryId, GROUP_ENTRY } from '#domain/correlation/grouping/group-entry.ts';
import { GROUP_CARE, type GroupCare, type ListedGroup } from '#domain/correlation/grouping/group-state.ts';
import { sameJson } from '#domain/same-json.ts';
import type { StandingAsked } from './acknowledgement.ts';
import { entriesOf } from './entries.ts';
import { heirOf } from './find-group.ts';

/** The owner of the former group has the new one, too, unless that has one; and so with the verdict. */
const united = (own: GroupCare, { assignedTo, assignedTeam, verdict }: GroupCare): GroupCare => ({
  ...(own.assignedTo === undefined &&
    own.assignedTeam === undefined && { ...(assignedTo && { assignedTo }), ...(assignedTeam && { assignedTeam }) }),
  ...(verdict && { verdict }),
  ...own,
});

/** The owner, the verdict and the notes of a group that has no member any more go to the group where its last one is. */
export async function handOver({ tenant, ports }: StandingAsked, row: ListedGroup): Promise<void> {
  const heir = await heirOf(ports, row);
  if (heir === null) return;
  const { id } = heir.group;
  for (const entry of await entriesOf(ports, tenant, row.group)) {
    const taken = { ...entry, group: id };
    await ports.records.put(tenant, GROUP_ENTRY, entryId(taken), taken);
  }
  await inTurn(ports, { of: ['group', tenant, id], ifMatch: null }, async () => {
    const stored = await ports.records.get<GroupCare>(tenant, GROUP_CARE, id);
    const own = stored?.body ?? heir.care;
    const after = united(own, row.care);
    if (!sameJson(own, after))
      await ports.records.put(tenant, GROUP_CARE, id, after, { expected: stored?.revision ?? 0 });
  });
  await readAfter(() => ports.groupRows.refresh(tenant, [id]), undefined);
  ports.live.recordChanged(tenant, 'group', id);
}
