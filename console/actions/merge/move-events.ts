import { mergeGroups, splitGroup } from '#console/api/group-changes.ts';
import { readMembers } from '#console/api/group-parts.ts';
import type { Call } from '#console/api/link/call.ts';
import * as texts from './texts.ts';

interface Placed {
  readonly eventId: string;
  /** Null: in no group. */
  readonly correlationId: string | null;
}

/** Events that leave a group of which others stay. */
interface Leaving {
  readonly from: string;
  readonly stays: string;
  readonly eventIds: readonly string[];
}

const leavingOf = async (call: Call, from: string, eventIds: readonly string[]): Promise<Leaving[]> => {
  const { members } = await readMembers(call, from, { limit: eventIds.length + 1 });
  const stays = members.find(({ eventId }) => !eventIds.includes(eventId));
  return stays === undefined ? [] : [{ from, stays: stays.eventId, eventIds }];
};

/**
 * Puts events into the group of the event `anchor`; a group of which no event stays is merged whole. Returns the undo.
 * Throws when the server has not done it: the events are then in their groups again.
 */
export const moveEvents = async (
  call: Call,
  events: readonly Placed[],
  anchor: string,
  reason: string,
): Promise<() => Promise<void>> => {
  const ids = events.map(({ eventId }) => eventId);
  const byGroup = Map.groupBy(events, ({ correlationId }) => correlationId);
  const named = [...byGroup].map(([from, members]) => ({ from, ids: members.map(({ eventId }) => eventId) }));
  // Ungrouped events are alone again after an undo, each by itself.
  const parts = named.flatMap(({ from, ids: own }) => (from === null ? own.map((id) => [id]) : [own]));
  const leaving: Leaving[] = [];
  for (const { from, ids: own } of named) if (from !== null) leaving.push(...(await leavingOf(call, from, own)));
  const done: Leaving[] = [];
  const goBack = async (): Promise<void> => {
    for (const { stays, eventIds } of done) await mergeGroups(call, stays, eventIds, texts.moveUndone);
  };
  try {
    for (const one of leaving) {
      await splitGroup(call, one.from, one.eventIds, reason || texts.movedAway);
      done.push(one);
    }
    const whole = await mergeGroups(call, anchor, ids, reason);
    return async () => {
      for (const eventIds of parts) await splitGroup(call, whole, eventIds, texts.moveUndone);
      await goBack();
    };
  } catch (error) {
    await goBack();
    throw error;
  }
};
