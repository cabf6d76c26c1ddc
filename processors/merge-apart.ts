import { splitByPerson } from '#domain/access/trail.ts';
import { entryId, GROUP_ENTRY, type GroupEntry } from '#domain/correlation/grouping/group-entry.ts';
import type { Facts } from '#domain/correlation/grouping/groups.ts';
import { decideApart, type NotParted } from '#domain/correlation/grouping/part.ts';
import type { Apart, Decision } from '#domain/correlation/records.ts';
import { eventIdOf } from '#domain/event/event.ts';
import type { ByHand, Incoming, Parting, Receipt } from '#domain/event/incoming.ts';
import { firstItem } from '#domain/known.ts';
import type { Effects } from '#domain/pipeline/processor.ts';
import { eventsIncoming } from '#schemas/topics/topics.ts';
import type { MergeState, Ready } from './merge-state.ts';

export type AskedApart = Ready & { readonly facts: { readonly apart: Parting; readonly hand: ByHand } };
/** A decision that took events out of a group. */
export type Parted = Decision & { readonly apart: Apart };

export const isAskedApart = (next: Ready): next is AskedApart =>
  next.facts.apart !== undefined && next.facts.hand !== undefined;

const refused = (next: AskedApart, why: NotParted): Receipt => {
  const { from } = next.facts.apart;
  const { eventId } = next.facts.arrival;
  if (why.cause === 'done') return { ok: true, outcome: 'ignored', id: eventId, count: 0, correlationId: why.groupId };
  if (why.cause === 'all')
    return { ok: false, fault: 'invalid', message: `All members of ${from} are named: nothing would stay` };
  const eventIds = why.eventIds.map(eventIdOf);
  const message = `Events ${eventIds.slice(0, 20).join(', ')} are not members of ${from}`;
  return { ok: false, fault: 'invalid', message, data: { eventIds } };
};

/** What was decided, or the answer when nothing is. */
export const askApart = (state: MergeState, next: AskedApart, facts: Facts): Parted | Receipt => {
  const { position } = next;
  const { apart: parting, hand } = next.facts;
  const decided = decideApart(state, { position, facts, parting, hand });
  return 'cause' in decided ? refused(next, decided) : (decided as Parted);
};

/** An event that is in none now; the others are told of their group as all are that join one. */
export const tellLeavers = ({ tenant, position, apart, joined }: Parted, at: number, effects: Effects): void => {
  if (joined.length > 0) return;
  for (const eventId of apart.left) {
    const ask = { kind: 'assigned', eventId, correlationId: apart.from, moves: true, leaves: true } as const;
    const value: Incoming = { ask, receivedAt: at };
    effects.emit(eventsIncoming, { tenant, position, value });
  }
};

const eventsSaid = ({ left }: Apart): string =>
  left.length === 1 ? eventIdOf(firstItem(left)) : `${left.length} events`;

/** What both groups tell of it, and the audit trail: kept with the decision, once. */
export const keepWord = ({ tenant, apart, groupId }: Parted, { facts }: AskedApart, effects: Effects): void => {
  const { hand, apart: parting } = facts;
  const { by, at } = hand;
  const { reason } = parting;
  const keep = (group: string, text: string): void => {
    const entry: GroupEntry = { id: apart.id, group, kind: 'split', at, by, text };
    effects.saveRecord({ tenant, kind: GROUP_ENTRY, id: entryId(entry), body: entry });
  };
  const into = groupId === null ? '' : ` into ${groupId}`;
  keep(apart.from, `split off ${eventsSaid(apart)}${into}: ${reason}`);
  if (groupId !== null) keep(groupId, `split off from ${apart.from}: ${reason}`);
  effects.saveRecord(splitByPerson(tenant, hand, { ...apart, into: groupId, reason }));
};
