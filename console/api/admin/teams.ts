import type { z } from 'zod';
import type { NewTeam, TeamBody } from '#schemas/http/admin/teams.ts';
import type { Call } from '../link/call.ts';
import type { List } from '../list.ts';

export type TeamShown = z.output<typeof TeamBody>;
type TeamWish = z.input<typeof NewTeam>;

export const listTeams = (call: Call, cursor: string | undefined, signal?: AbortSignal): Promise<List<TeamShown>> =>
  call<List<TeamShown>>('GET /api/admin/teams', { query: { limit: 100, cursor }, signal });

export const makeTeam = (call: Call, wish: TeamWish): Promise<unknown> => call('POST /api/admin/teams', { body: wish });

export const changeTeam = (call: Call, id: string, wish: Partial<TeamWish>): Promise<unknown> =>
  call('PUT /api/admin/teams/{id}', { params: { id }, body: wish });

export const removeTeam = (call: Call, id: string): Promise<unknown> =>
  call('DELETE /api/admin/teams/{id}', { params: { id } });
