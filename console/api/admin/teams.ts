import type { z } from 'zod';
import type { NewTeam, TeamBody } from '#schemas/http/admin/teams.ts';
import type { Call } from '../link/call.ts';
import type { List } from '../list.ts';

export type TeamData = z.output<typeof TeamBody>;
type TeamInput = z.input<typeof NewTeam>;

export const listTeams = (call: Call, cursor: string | undefined, signal?: AbortSignal): Promise<List<TeamData>> =>
  call<List<TeamData>>('GET /api/admin/teams', { query: { limit: 100, cursor }, signal });

export const makeTeam = (call: Call, wish: TeamInput): Promise<unknown> =>
  call('POST /api/admin/teams', { body: wish });

export const changeTeam = (call: Call, id: string, wish: Partial<TeamInput>): Promise<unknown> =>
  call('PUT /api/admin/teams/{id}', { params: { id }, body: wish });

export const removeTeam = (call: Call, id: string): Promise<unknown> =>
  call('DELETE /api/admin/teams/{id}', { params: { id } });
