import { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import {
  type AskedAssignees,
  type Assignees,
  MOST_ASSIGNEES,
  searchAssignees,
} from '#application/events/finding/search-assignees.ts';
import { AssigneesReply } from '#schemas/http/events/assignees.ts';

const AssigneesQuery = z.strictObject({
  search: z
    .string()
    .max(256)
    .default('')
    .meta({ description: 'Part of a name or user name; all words have to be there' }),
  administers: z.enum(['true']).optional().meta({ description: 'Only users who may give others a role; no teams' }),
});

export const eventAssignees = endpoint<AskedAssignees, Assignees>({
  id: 'events.assignees',
  summary: 'Find who events and groups can be assigned to',
  description: `Users that are not disabled, and teams, by name; at most ${MOST_ASSIGNEES} of each.`,
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
      read: ({ query: { search, administers } }) => ({ search, administers: administers === 'true' }),
      present: ({ users, teams }) => ({
        body: {
          users: users.map(({ id, username, name }) => ({ _id: id, username, name })),
          teams: teams.map(({ id, name }) => ({ _id: id, name })),
        },
      }),
    }),
  ],
  handle: (asked, { tenant, ports }) => searchAssignees(ports.records, tenant, asked),
});
