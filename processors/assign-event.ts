import type { Actor, Event, HistoryEntry } from '#domain/event/event.ts';
import type { Assignment } from '#domain/event/incoming.ts';
import { type Change, entryOf, type Stamp, touched, withEntry } from '#domain/event/lifecycle/change.ts';

const sameId = (a: { readonly id: string } | null, b: { readonly id: string } | null): boolean => a?.id === b?.id;

type Moves = Pick<HistoryEntry, 'assignedTo' | 'assignedTeam'>;

/** The change: none when they have the event already. */
const movesOf = (event: Event, { assignedTo, assignedTeam }: Assignment): Moves => {
  const [user, team] = [event.assignedTo ?? null, event.assignedTeam ?? null];
  return {
    ...(assignedTo && !sameId(user, assignedTo.user) && { assignedTo: { from: user, to: assignedTo.user } }),
    ...(assignedTeam && !sameId(team, assignedTeam.team) && { assignedTeam: { from: team, to: assignedTeam.team } }),
  };
};

const given = (event: Event, { assignedTo, assignedTeam }: Moves): Event => {
  const { assignedTo: user = null, assignedTeam: team = null, ...rest } = event;
  const [nextUser, nextTeam] = [assignedTo ? assignedTo.to : user, assignedTeam ? assignedTeam.to : team];
  return { ...rest, ...(nextUser && { assignedTo: nextUser }), ...(nextTeam && { assignedTeam: nextTeam }) };
};

/** Assigns the event to a user and a team, or unassigns it; the history has an entry. */
export const assignEvent = (
  { event, outcome }: Change,
  { by, ...assignment }: Assignment & { readonly by: Actor },
  stamp: Stamp,
): Change => {
  const moves = movesOf(event, assignment);
  if (Object.keys(moves).length === 0) return { event, outcome };
  const entry = { ...entryOf(event, { at: stamp.receivedAt, to: event.status, by }, stamp), ...moves };
  const history = withEntry(event.history, entry);
  return { event: { ...given(event, moves), history, ...touched(event, stamp) }, outcome };
};
