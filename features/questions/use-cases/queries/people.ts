import { everyRecord } from '#application/records/list-records.ts';
import { ACCESS_KINDS, type UserRecord } from '#domain/access/records.ts';
import { TEAM_KINDS, type TeamRecord } from '#domain/access/team.ts';
import { invalid } from '#domain/fault.ts';
import type { QueryAsking } from './asking.ts';
export interface Person {
  readonly id: string;
  readonly name: string;
  /** Other words for it, in lower case; a team has none that name it alone. */
  readonly words: readonly string[];
  readonly isTeam: boolean;
  /** Ids of the users of a team. */
  readonly members: readonly string[];
}

type OfTenant = Pick<QueryAsking, 'ports' | 'tenant'>;
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}._-]+/gu) ?? [];
const personOf = ({ id, name }: Pick<Person, 'id' | 'name'>, words: string[], members?: readonly string[]): Person => {
  return { id, name, words: [...words, ...wordsOf(name)], isTeam: members !== undefined, members: members ?? [] };
};
export async function everyPerson({ ports, tenant }: OfTenant): Promise<readonly Person[]> {
  const [users, teams] = await Promise.all([
    everyRecord<UserRecord>(ports.records, tenant, ACCESS_KINDS.user),
    everyRecord<TeamRecord>(ports.records, tenant, TEAM_KINDS.team),
  ]);
  return [
    ...users.map((user) => personOf(user, [user.username.toLowerCase()])),
    ...teams.map((team) => personOf(team, [], team.members)),
  ];
}
export const personNames = async (asking: OfTenant): Promise<ReadonlyMap<string, string>> =>
  new Map((await everyPerson(asking)).map(({ id, name }) => [id, name]));

/** Users and teams with this name, else those of whose names it is a word. */
export function peopleNamed(all: readonly Person[], text: string): readonly Person[] {
  const words = wordsOf(text);
  const exact = all.filter(({ name }) => name.toLowerCase() === text.toLowerCase());
  return exact.length > 0 ? exact : all.filter((one) => words.length > 0 && words.every((w) => one.words.includes(w)));
}

const NOBODY = 'none';

/** Condition for stores: IDs, null for unassigned. Throws Fault `invalid` for an unknown name. */
export async function assigneeOf(
  asking: QueryAsking,
  text: string | undefined,
): Promise<readonly string[] | null | undefined> {
  if (text === undefined) return undefined;
  if (text.toLowerCase() === NOBODY) return null;
  const found = peopleNamed(await everyPerson(asking), text);
  if (found.length === 0) throw invalid('assignee', 'no user or team has this name');
  return found.map(({ id }) => id);
}
