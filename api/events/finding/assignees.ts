import { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import {
  type AskedAssignees,
  type Assignees,
  MOST_ASSIGNEES,
  searchAssignees,
} from '#application/events/finding/search-assignees.ts';
import { commaWords } from '#schemas/http/common.ts';
import { AssigneesReply } from '#schemas/http/events/assignees.ts';

const AssigneesQuery = z.strictObject({
  search: z
    .string()
    .max(256)
    .default('')
    .meta({ description: 'Part of a name or user name; all words have to be there' }),
  ids: commaWords('Ids, comma-separated: only these, disabled users too').optional(),
  administers: z.enum(['true']).optional().meta({ description: 'Only users who may give others a role; no teams' }),
});

export const eventAssignees = endpoint<Omit<AskedAssignees, 'caller'>, Assignees>({
  id: 'events.assignees',
  summary: 'Find who events and groups can be assigned to',
  description: `Users that are not disabled, and teams, by name, those of the caller first; at most ${MOST_ASSIGNEES} of each.`,
  tag: 'Events',
  permission: 'events.read',
  limit: 'query',
  mounts: [
    mount({
      on: 'events',
      method: 'get',
      path: '/assignees',
      query: AssigneesQuery,
      reply: AssigneesReply,
      read: ({ query: { search, administers, ids } }) => ({
        search,
        administers: administers === 'true',
        ids: ids ?? null,
      }),
      present: ({ users, teams }) => ({
        body: {
          users: users.map(({ id, username, name }) => ({ _id: id, username, name })),
          teams: teams.map(({ id, name, mine }) => ({ _id: id, name, mine })),
        },
      }),
    }),
  ],
  handle: (asked, { tenant, ports, caller }) => searchAssignees(ports.records, tenant, { ...asked, caller: caller.id }),
});
