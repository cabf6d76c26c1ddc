import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { findTeam } from '#application/access/team-store.ts';
import { recordPage } from '#application/records/list-records.ts';
import { changeTeam, createTeam, removeTeam, type TeamChange } from '#application/tenants/teams.ts';
import { TEAM_KINDS, type TeamRecord } from '#domain/access/team.ts';
import type { Page } from '#domain/page.ts';
import { IdPath } from '#schemas/http/admin/admin.ts';
import { NewTeam, type NewTeamInput, TeamBody, TeamPatch, TeamsQuery, teamBody } from '#schemas/http/admin/teams.ts';
import { Message } from '#schemas/http/common.ts';
import { v1List, wrapped, wrappedList } from '#schemas/http/envelope.ts';
import { type Paging, pageInfo } from '#schemas/http/paging.ts';

const reading = { tag: 'Administration', permission: 'events.read', limit: 'standard' } as const;
const writing = { tag: 'Administration', permission: 'users.manage', limit: 'standard' } as const;
const PLATFORM = { on: 'platform', path: '/admin/teams' } as const;
const V1 = { on: 'v1', path: '/teams' } as const;
const ONE_PLATFORM = { on: 'platform', path: '/admin/teams/{id}', params: IdPath } as const;
const ONE_V1 = { on: 'v1', path: '/teams/{id}', params: IdPath } as const;

type TeamsPage = { readonly paging: Paging; readonly found: Page<TeamRecord> };
const list = {
  method: 'get',
  query: TeamsQuery,
  read: ({ query }: { query: Paging }) => query,
  present: ({ paging, found }: TeamsPage) => ({ body: found.items.map(teamBody), page: pageInfo(paging, found) }),
} as const;

const listTeams = endpoint<Paging, TeamsPage>({
  ...reading,
  id: 'admin.teams.list',
  summary: 'List teams',
  mounts: [
    mount({ ...PLATFORM, ...list, reply: wrappedList(TeamBody) }),
    mount({ ...V1, ...list, reply: v1List(TeamBody) }),
  ],
  handle: async (paging, { tenant, ports }) => ({
    paging,
    found: await recordPage<TeamRecord>(ports.records, tenant, TEAM_KINDS.team, paging),
  }),
});

const create = { method: 'post', status: 201, replyHeaders: ['Location'], body: NewTeam } as const;
const readNew = ({ body }: { body: NewTeamInput }) => body;
const presentNew = (prefix: string) => (team: TeamRecord) => ({
  body: teamBody(team),
  headers: { Location: `${prefix}/${team.id}` },
});

const addTeam = endpoint<NewTeamInput, TeamRecord>({
  ...writing,
  id: 'admin.teams.create',
  summary: 'Create a team',
  mounts: [
    mount({ ...PLATFORM, ...create, reply: wrapped(TeamBody), read: readNew, present: presentNew('/api/admin/teams') }),
    mount({ ...V1, ...create, reply: TeamBody, read: readNew, present: presentNew('/v1/teams') }),
  ],
  handle: (input, context) => createTeam(context, input),
});

const present = (team: TeamRecord) => ({ body: teamBody(team) });
const one = { read: ({ params }: { params: { id: string } }) => params.id } as const;
const got = { method: 'get', ...one, present } as const;

const getTeam = endpoint<string, TeamRecord>({
  ...reading,
  id: 'admin.teams.get',
  summary: 'Get a team',
  mounts: [mount({ ...ONE_PLATFORM, ...got, reply: wrapped(TeamBody) }), mount({ ...ONE_V1, ...got, reply: TeamBody })],
  handle: async (id, { tenant, ports }) => (await findTeam(ports.records, tenant, id)).body,
});

interface Changing {
  readonly params: { id: string };
  readonly body: TeamChange['patch'];
}
const put = {
  method: 'put',
  body: TeamPatch,
  read: ({ params, body }: Changing): TeamChange => ({ id: params.id, patch: body }),
  present,
} as const;

const updateTeam = endpoint<TeamChange, TeamRecord>({
  ...writing,
  id: 'admin.teams.update',
  summary: 'Update a team',
  description: 'Omitted fields are unchanged; `members` replaces the whole list.',
  mounts: [mount({ ...ONE_PLATFORM, ...put, reply: wrapped(TeamBody) }), mount({ ...ONE_V1, ...put, reply: TeamBody })],
  handle: (change, context) => changeTeam(context, change),
});

const deleted = { method: 'delete', ...one, present: () => ({ body: { message: 'Team deleted' } }) } as const;

const deleteTeam = endpoint<string, void>({
  ...writing,
  id: 'admin.teams.delete',
  summary: 'Delete a team',
  mounts: [
    mount({ ...ONE_PLATFORM, ...deleted, reply: wrapped(Message) }),
    mount({ ...ONE_V1, ...deleted, reply: Message }),
  ],
  handle: (id, context) => removeTeam(context, id),
});

export const teamEndpoints = [listTeams, addTeam, getTeam, updateTeam, deleteTeam];
