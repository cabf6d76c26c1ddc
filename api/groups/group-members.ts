import { z } from 'zod';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { findGroup } from '#application/groups/find-group.ts';
import { type JoinedBy, type Members, membersPage } from '#application/groups/members.ts';
import { eventIdOf } from '#domain/event/event.ts';
import { EVENT_SORTS, type EventSort } from '#domain/ports/events/event-store.ts';
import { sortOrder } from '#schemas/http/common.ts';
import { succeededPage } from '#schemas/http/envelope.ts';
import { eventRow } from '#schemas/http/events/event-view.ts';
import { GroupMember } from '#schemas/http/events/group-parts.ts';
import { type Paging, pageFields, pageInfo, pageRequest, withinWindow } from '#schemas/http/paging.ts';

const MembersQuery = z
  .strictObject({
    sortBy: z.enum(EVENT_SORTS).default('timestamp'),
    sortOrder: sortOrder.default('asc'),
    ...pageFields({ limit: 100, max: 500 }),
  })
  .check(withinWindow);
const params = z.object({ correlationId: z.string() });

interface GroupMembersRequest {
  readonly correlationId: string;
  readonly paging: Paging;
  readonly sort: EventSort;
  readonly order: 'asc' | 'desc';
}

const joinedView = ({ other, ...by }: JoinedBy) => ({ ...by, other: eventIdOf(other) });

export const groupMembers = endpoint<GroupMembersRequest, Members & Pick<GroupMembersRequest, 'paging'>>({
  id: 'events.group-members',
  summary: 'List the events of a group',
  description: 'Includes superseded events.',
  tag: 'Correlation',
  permission: 'events.read',
  limit: 'query',
  mounts: on.events.get('/groups/{correlationId}/members', {
    params,
    query: MembersQuery,
    reply: succeededPage({ members: z.array(GroupMember) }),
    read: ({ params, query }): GroupMembersRequest => ({
      correlationId: params.correlationId,
      paging: query,
      sort: query.sortBy,
      order: query.sortOrder,
    }),
    present: ({ found, places, joinedBy, paging }) => ({
      body: {
        members: found.items.map((event) => {
          const by = joinedBy.get(event.id);
          return {
            ...eventRow(event, places.get(event.id) ?? null),
            joinedBy: by === undefined ? null : joinedView(by),
          };
        }),
      },
      page: pageInfo(paging, found),
    }),
  }),
  async handle({ correlationId, paging, sort, order }, { tenant, ports }) {
    const { group } = await findGroup(ports, tenant, correlationId);
    return { ...(await membersPage(ports, tenant, group, pageRequest(paging, sort, order))), paging };
  },
});
