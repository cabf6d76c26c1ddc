import type { Arrival } from '#domain/correlation/records.ts';
import { NO_TRANSITIONS, type PlacedTransition, withTransition } from '#domain/correlation/status-transitions.ts';

/** The part of a member that decides whether it is active. */
interface Lived {
  readonly eventId: string;
  readonly arrival: Pick<Arrival, 'complaint' | 'suppressed'>;
  readonly turns: readonly PlacedTransition[];
}

/** The members of a closed group that were on when it closed, or are on again; each with its ends and returns, later ones too. */
interface LastingGroup {
  readonly tenant: string;
  readonly id: string;
  readonly turns: Map<string, readonly PlacedTransition[]>;
}

/**
 * Active members of closed groups: each knows its group, however long ago that closed. Answers depend on positions
 * alone: ended members are retained until no position before their end can be requested.
 */
export interface Lasting {
  readonly byEvent: Map<string, LastingGroup>;
  /** Groups by tenant and id. */
  readonly byGroup: Map<string, LastingGroup>;
  /** The position of the end of each that has ended. */
  readonly ended: Map<string, number>;
}

export const openLasting = (): Lasting => ({ byEvent: new Map(), byGroup: new Map(), ended: new Map() });

const keyOf = (tenant: string, id: string): string => `${tenant}\n${id}`;

/** One that was suppressed from the beginning is not over: it lasts as well. */
const isOnAt = (turns: readonly PlacedTransition[], position: number): boolean =>
  turns.findLast((turn) => turn.position <= position)?.kind !== 'ended';

/** True if it is active at the position or, as far as is known, later. A change is a moment: it never lasts. */
export const canLast = ({ arrival, turns }: Pick<Lived, 'arrival' | 'turns'>, position: number): boolean => {
  if (arrival.complaint.known === 'change') return false;
  if (turns.length === 0) return !arrival.suppressed;
  return isOnAt(turns, position) || turns.some((turn) => turn.kind === 'returned' && turn.position > position);
};

/** The event is out of its closed group, or in an open one. */
export const dropLasting = ({ byEvent, byGroup, ended }: Lasting, eventId: string): void => {
  const group = byEvent.get(eventId);
  if (group === undefined) return;
  byEvent.delete(eventId);
  ended.delete(eventId);
  group.turns.delete(eventId);
  if (group.turns.size === 0) byGroup.delete(keyOf(group.tenant, group.id));
};

const keepTurns = (
  { ended }: Lasting,
  group: LastingGroup,
  { eventId, turns }: Pick<Lived, 'eventId' | 'turns'>,
): void => {
  group.turns.set(eventId, turns);
  const last = turns.at(-1);
  if (last?.kind === 'ended') ended.set(eventId, last.position);
  else ended.delete(eventId);
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
  keepTurns(lasting, group, { eventId, turns });
};

/** The id of the closed group in which the event is on, or was until lately. */
export const lastsIn = ({ byEvent }: Lasting, eventId: string): string | null => byEvent.get(eventId)?.id ?? null;

export const noteLastingTransition = (lasting: Lasting, told: PlacedTransition): void => {
  const { eventId } = told;
  const group = lasting.byEvent.get(eventId);
  if (group === undefined) return;
  keepTurns(lasting, group, { eventId, turns: withTransition(group.turns.get(eventId) ?? NO_TRANSITIONS, told) });
};

/** Nothing up to the position is asked any more. */
export const forgetEnded = (lasting: Lasting, through: number): void => {
  for (const [eventId, position] of lasting.ended) if (position <= through) dropLasting(lasting, eventId);
};

/**
 * Returns the closed group that holds the event at the position: another member of it is active. `before`: the event is
 * superseded at the position, so its earlier state counts.
 */
export const holderOf = (
  { byEvent }: Lasting,
  tenant: string,
  eventId: string,
  position: number,
  before = false,
): string | null => {
  const group = byEvent.get(eventId);
  if (group === undefined || group.tenant !== tenant) return null;
  if (!isOnAt(group.turns.get(eventId) ?? NO_TRANSITIONS, before ? position - 1 : position)) return null;
  for (const [other, turns] of group.turns) if (other !== eventId && isOnAt(turns, position)) return group.id;
  return null;
};

export const forgetLasting = (lasting: Lasting, tenant: string): void => {
  for (const [eventId, group] of lasting.byEvent) if (group.tenant === tenant) dropLasting(lasting, eventId);
};
