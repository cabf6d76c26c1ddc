import type { EventDraft } from '#domain/event/draft.ts';
import type { Actor, Team } from '#domain/event/event.ts';
import { fitsJsonLimit } from '#domain/json-size.ts';

/** The users and teams of a tenant, by id or by name. */
export interface AssigneeDirectory {
  user(idOrName: string): Actor | undefined;
  team(idOrName: string): Team | undefined;
}

type Bag = Readonly<Record<string, unknown>>;
type Unknown = Readonly<Record<'assignedTo' | 'assignedTeam', unknown>>;

/** Names of users and teams that the tenant does not have; details of the sender outrank them. */
const withUnknown = (details: Bag, unknown: Partial<Unknown>): Bag => {
  const all = { ...unknown, ...details };
  return fitsJsonLimit(all) ? all : details;
};

const asSent = ({ id, ...named }: Actor | Team) => ({ _id: id, ...named });
const userOf = ({ user }: AssigneeDirectory, { id, username }: Actor): Actor | undefined => user(id) ?? user(username);
const teamOf = ({ team }: AssigneeDirectory, { id, name }: Team): Team | undefined => team(id) ?? team(name);

/** A sender's assignment counts when it names a user or team of the tenant, by id or name; else it stays in the details. */
export const withKnownAssignees = (draft: EventDraft, directory: AssigneeDirectory): EventDraft => {
  const { assignedTo, assignedTeam, ...rest } = draft;
  if (assignedTo === undefined && assignedTeam === undefined) return draft;
  const user = assignedTo && userOf(directory, assignedTo);
  const team = assignedTeam && teamOf(directory, assignedTeam);
  const unknown = {
    ...(assignedTo && !user && { assignedTo: asSent(assignedTo) }),
    ...(assignedTeam && !team && { assignedTeam: asSent(assignedTeam) }),
  };
  return {
    ...rest,
    ...(user && { assignedTo: user }),
    ...(team && { assignedTeam: team }),
    ...(Object.keys(unknown).length > 0 && { details: withUnknown(draft.details ?? {}, unknown) }),
  };
};
