import { audited } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { addTeam, dropTeam, everyTeam, findTeam, putTeam } from '#application/access/team-store.ts';
import { everyRecord } from '#application/records/list-records.ts';
import { revise } from '#application/records/revise.ts';
import { ACCESS_KINDS, type UserRecord } from '#domain/access/records.ts';
import type { TeamRecord } from '#domain/access/team.ts';
import { Fault } from '#domain/fault.ts';
import type { StoredRecord } from '#domain/ports/record-store.ts';
import { sameJson } from '#domain/same-json.ts';
import { type NewTeamInput, type TeamPatchInput, teamFacts } from '#schemas/http/admin/teams.ts';

/** An unknown user inside a body is the caller's mistake, not a missing page. Users that were members before are known. */
const membersOf = async (
  { tenant, ports }: UseCaseContext,
  asked: readonly string[],
  had: readonly string[] = [],
): Promise<string[]> => {
  const users = [...new Set(asked)];
  const known = new Set(had);
  if (users.some((id) => !known.has(id)))
    for (const { id } of await everyRecord<UserRecord>(ports.records, tenant, ACCESS_KINDS.user)) known.add(id);
  const problems = users.flatMap((id) =>
    known.has(id) ? [] : [{ field: `members[${asked.indexOf(id)}]`, reason: `no user with ID ${id}` }],
  );
  const [first] = problems;
  if (first) throw new Fault('invalid', `${first.field}: ${first.reason}`, problems);
  return users;
};

export const createTeam = async (context: UseCaseContext, input: NewTeamInput): Promise<TeamRecord> => {
  const { tenant, ports, receivedAt: at } = context;
  const { name, description } = input;
  const members = await membersOf(context, input.members);
  const team: TeamRecord = { id: ports.ids.ulid(), name, description, members, createdAt: at, updatedAt: at };
  const target = { kind: 'team', id: team.id };
  const entry = audited(context, { action: 'team.created', target, before: null, after: teamFacts(team) });
  await addTeam(ports, tenant, team, [entry]);
  return team;
};

type StoredTeam = Pick<StoredRecord<TeamRecord>, 'body' | 'revision'>;
type TeamUpdate = (before: TeamRecord) => TeamRecord;

const reviseTeam = async (
  context: UseCaseContext,
  id: string,
  load: () => Promise<StoredTeam>,
  change: TeamUpdate,
): Promise<TeamRecord> => {
  const { tenant, ports, receivedAt } = context;
  const put = ({ body: after }: StoredTeam, { body: before, revision: expected }: StoredTeam) => {
    const target = { kind: 'team', id: before.id };
    const seen = { before: teamFacts(before), after: teamFacts(after) };
    const entry = audited(context, { action: 'team.updated', target, ...seen });
    return putTeam(ports, tenant, { before, after, expected, sideRecords: [entry] });
  };
  const { after } = await revise<StoredTeam>(ports, {
    of: ['team', tenant, id],
    ifMatch: null,
    load,
    change: (stored) => {
      const body = change(stored.body);
      if (sameJson(stored.body, body)) return stored;
      return { body: { ...body, updatedAt: receivedAt }, revision: stored.revision + 1 };
    },
    put,
  });
  return after.body;
};

export interface TeamChange {
  readonly id: string;
  readonly patch: TeamPatchInput;
}

export const changeTeam = async (context: UseCaseContext, { id, patch }: TeamChange): Promise<TeamRecord> => {
  const { tenant, ports } = context;
  let members: readonly string[] | undefined;
  const load = async (): Promise<StoredTeam> => {
    const stored = await findTeam(ports.records, tenant, id);
    members = patch.members && (await membersOf(context, patch.members, stored.body.members));
    return stored;
  };
  return reviseTeam(context, id, load, (before) => {
    const { name = before.name, description = before.description } = patch;
    return { ...before, name, description, members: members ?? before.members };
  });
};

export const removeTeam = async (context: UseCaseContext, id: string): Promise<void> => {
  const { tenant, ports } = context;
  const { body } = await findTeam(ports.records, tenant, id);
  const target = { kind: 'team', id };
  const entry = audited(context, { action: 'team.deleted', target, before: teamFacts(body), after: null });
  await dropTeam(ports, tenant, body, [entry]);
};

/** A user who is about to be removed leaves all teams. */
export const leaveTeams = async (context: UseCaseContext, user: string): Promise<void> => {
  const { tenant, ports } = context;
  const teams = (await everyTeam(ports.records, tenant)).filter(({ members }) => members.includes(user));
  for (const { id } of teams)
    await reviseTeam(
      context,
      id,
      () => findTeam(ports.records, tenant, id),
      (before) => ({ ...before, members: before.members.filter((member) => member !== user) }),
    );
};
