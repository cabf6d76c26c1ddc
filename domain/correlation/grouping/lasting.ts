import type { Arrival } from '#domain/correlation/records.ts';
import { endedAt, NO_TURNS, type PlacedTurn, withTurn } from '#domain/correlation/turns.ts';

/** The part of a member that tells whether it is on. */
interface Lived {
  readonly eventId: string;
  readonly arrival: Pick<Arrival, 'complaint' | 'suppressed'>;
  readonly turns: readonly PlacedTurn[];
}

/** The members of a closed group that were on when it closed, or are on again. */
interface LastingGroup {
  readonly tenant: string;
  readonly id: string;
  readonly turns: Map<string, readonly PlacedTurn[]>;
}

/** Members of closed groups that are on: each knows its group, however long ago that closed. */
export interface Lasting {
  readonly byEvent: Map<string, LastingGroup>;
  /** By tenant and id. */
  readonly byGroup: Map<string, LastingGroup>;
}

export const openLasting = (): Lasting => ({ byEvent: new Map(), byGroup: new Map() });

const keyOf = (tenant: string, id: string): string => `${tenant}\n${id}`;

/** As far as is known, also of later positions. A change is a moment: it lasts for nobody. */
export const canLast = ({ arrival, turns }: Pick<Lived, 'arrival' | 'turns'>, position: number): boolean => {
  if (arrival.complaint.known === 'change') return false;
  return turns.length === 0 ? !arrival.suppressed : endedAt(turns, position) === null;
};

/** The event is out of its closed group, or in an open one. */
export const dropLasting = ({ byEvent, byGroup }: Lasting, eventId: string): void => {
  const group = byEvent.get(eventId);
  if (group === undefined) return;
  byEvent.delete(eventId);
  group.turns.delete(eventId);
  if (group.turns.size === 0) byGroup.delete(keyOf(group.tenant, group.id));
};

/** The event is on in a closed group. */
export const lastIn = (
  lasting: Lasting,
  { tenant, id }: Pick<LastingGroup, 'tenant' | 'id'>,
  { eventId, turns }: Pick<Lived, 'eventId' | 'turns'>,
): void => {
  dropLasting(lasting, eventId);
  const key = keyOf(tenant, id);
  const group = lasting.byGroup.get(key) ?? { tenant, id, turns: new Map() };
  lasting.byGroup.set(key, group);
  lasting.byEvent.set(eventId, group);
  group.turns.set(eventId, turns);
};

/** The id of the closed group in which the event is on. */
export const lastsIn = ({ byEvent }: Lasting, eventId: string): string | null => byEvent.get(eventId)?.id ?? null;

export const noteLastingTurn = ({ byEvent }: Lasting, told: PlacedTurn): void => {
  const group = byEvent.get(told.eventId);
  if (group !== undefined) group.turns.set(told.eventId, withTurn(group.turns.get(told.eventId) ?? NO_TURNS, told));
};

/**
 * The closed group that holds the event at the position: another member of it is on. O(members that have ended since it was asked last).
 * Positions never fall.
 */
export const holderOf = (lasting: Lasting, tenant: string, eventId: string, position: number): string | null => {
  const group = lasting.byEvent.get(eventId);
  if (group === undefined || group.tenant !== tenant) return null;
  for (const [other, turns] of group.turns) {
    if (other === eventId) continue;
    if (endedAt(turns, position) === null) return group.id;
    dropLasting(lasting, other);
  }
  return null;
};

export const forgetLasting = (lasting: Lasting, tenant: string): void => {
  for (const [eventId, group] of lasting.byEvent) if (group.tenant === tenant) dropLasting(lasting, eventId);
};
