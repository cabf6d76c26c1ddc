import { assertDefined } from '#domain/assert.ts';
import { type AppliedChange, apply } from '#domain/correlation/grouping/apply.ts';
import { type GroupMemory, memberOf, revive, splitsIn } from '#domain/correlation/grouping/group-memory.ts';
import { type Facts, type OpenGroup, openGroupOf } from '#domain/correlation/grouping/groups.ts';
import { decideSplit } from '#domain/correlation/grouping/manual-split.ts';
import { noteSplits } from '#domain/correlation/grouping/splits.ts';
import type { Decision, ManualSplit } from '#domain/correlation/records.ts';
import type { Link } from '#domain/event/incoming.ts';

/** Nothing is written of it. */
const NO_TRAIL = { id: '', address: '', department: null, expiresAt: 0 };

/* User actions are replayed by the events that they named, since the groups may differ. */

/** The facts as a record has them that waits for no strategy. */
export const factsOfDemand = ({ arrival, ...facts }: Facts, position: number): Facts => {
  const { again: _again, supersedes: _other, ...known } = arrival;
  return { ...facts, arrival: { ...known, position, rebound: false } };
};

/** Opens the closed groups of these events, like a user who links or splits them. */
export const reopenAll = (memory: GroupMemory, tenant: string, ids: readonly string[]): void => {
  for (const id of ids) {
    const group = memberOf(memory, tenant, id)?.group;
    if (group?.status === 'closed' && 'members' in group) revive(memory, group);
  }
};

/** Returns the requested pairs, linked or not, best first; unknown events are left out. */
export const linksAsked = (memory: GroupMemory, { tenant, accepted, refused }: Decision): Link[] =>
  [...accepted, ...refused.map(({ guard: _, ...link }) => link)].filter(
    ({ other }) => memberOf(memory, tenant, other) !== undefined,
  );

/** The open groups in which some that left are together with others. */
const groupsToPart = (memory: GroupMemory, tenant: string, { left }: ManualSplit): OpenGroup[] => {
  const leaving = new Set(left);
  const groups = new Set(
    left.flatMap((id) => {
      const member = memberOf(memory, tenant, id);
      return (member && openGroupOf(member)) ?? [];
    }),
  );
  return [...groups].filter(({ members }) => [...members.keys()].some((id) => !leaving.has(id)));
};

/** Removes the events from their current groups, and separates them from the remaining ones. */
export function partAgain(
  memory: GroupMemory,
  decision: Decision & { readonly apart: ManualSplit },
  facts: Facts,
): AppliedChange[] {
  const { tenant, position, eventId, apart, hand } = decision;
  const { id, left } = apart;
  reopenAll(memory, tenant, left);
  const changes: AppliedChange[] = [];
  for (const group of groupsToPart(memory, tenant, apart)) {
    const parting = { id, from: group.id, eventIds: left.filter((one) => group.members.has(one)), reason: '' };
    const by = hand?.by ?? { id: '', username: '', name: '' };
    const asked = { position, facts, parting, hand: { by, at: hand?.at ?? 0, trail: NO_TRAIL } };
    const decided = decideSplit(memory, asked);
    if ('cause' in decided) continue;
    const parted = assertDefined(decided.apart, 'split');
    const stayed = [...new Set([...parted.stayed, ...apart.stayed])];
    changes.push(...apply(memory, { ...decided, apart: { ...parted, left, stayed } }, facts));
  }
  noteSplits(splitsIn(memory, tenant), { eventId, apart });
  return changes;
}
