import { apply, isAboutSplits, rebind } from '#domain/correlation/grouping/apply.ts';
import { forget, forgetUngrouped, memberOf, remember } from '#domain/correlation/grouping/group-memory.ts';
import type { Facts } from '#domain/correlation/grouping/groups.ts';
import { lastIn } from '#domain/correlation/grouping/lasting.ts';
import type { Group, Outcome } from '#domain/correlation/records.ts';
import { type Causes, openCauses } from '#domain/correlation/root-cause/causes.ts';
import { NO_TRANSITIONS } from '#domain/correlation/status-transitions.ts';
import type { Restorable } from '#domain/pipeline/processor.ts';
import type { MergeState } from './merge-state.ts';

const keyOf = (tenant: string, id: string): string => `${tenant}\n${id}`;

/**
 * Built when the group is touched: most groups that are open at a start never are, and theirs would use a tenth of
 * memory.
 */
const UNKNOWN_CAUSES: Causes = { ...openCauses(), stale: true };

/** The left group may exist while the founded one does not. */
const restoreSplit = (state: MergeState, { founded: _, ...decision }: Outcome, facts: Facts): void => {
  const alone = { ...decision, groupId: null, joined: [], merged: [], closed: [] };
  for (const { group } of apply(state, alone, facts)) group.causes = UNKNOWN_CAUSES;
};

/**
 * Rebuilds the open groups from their decisions; stored groups only show which are open and their candidate. Only
 * `settled` contains the progress of merge. The arrival of that position may still follow, after its transition.
 */
export const restore = async (state: MergeState, from: Restorable, now: number, settled = 0): Promise<void> => {
  state.arrivals.decided = Math.max(state.arrivals.decided, settled - 1);
  const stillOpen = new Map<string, Group>();
  for await (const group of from.openGroups())
    for (const id of [group.id, ...group.aliases]) stillOpen.set(keyOf(group.tenant, id), group);
  for await (const { decision, facts, partners } of from.decisions(now)) {
    state.arrivals.decided = Math.max(state.arrivals.decided, decision.position);
    const { tenant, groupId } = decision;
    const isOpen = (id: string | null | undefined): boolean => id != null && stillOpen.has(keyOf(tenant, id));
    if (isOpen(groupId) || isOpen(decision.apart?.from))
      for (const partner of partners) rebind(state, remember(state, partner), partner);
    if (groupId === null || !isOpen(groupId)) {
      if (isAboutSplits(decision)) restoreSplit(state, decision, facts);
      continue;
    }
    // A member of which nothing is stored any more is missing from its group; better than not to start.
    const joined = decision.joined.filter((id) => id === decision.eventId || memberOf(state, tenant, id));
    for (const { group } of apply(state, { ...decision, joined, closed: [] }, facts)) group.causes = UNKNOWN_CAUSES;
  }
  for (const { tenant, id, candidate, named = [] } of new Set(stillOpen.values())) {
    const group = state.tenants.get(tenant)?.open.get(id);
    if (group) Object.assign(group, { candidate, named });
  }
  for await (const piece of from.lasting(state.arrivals.decided))
    for (const { tenant, eventId, groupId, turns = NO_TRANSITIONS } of piece)
      if (!state.tenants.get(tenant)?.members.has(eventId))
        lastIn(state.lasting, { tenant, id: groupId }, { eventId, turns });
  forgetUngrouped(state);
  forget(state, null);
};
