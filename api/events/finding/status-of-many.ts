import type { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import {
  type Done,
  type EventsMeant,
  MAX_CHANGED,
  type StatusWish,
  setStatusOfMany,
} from '#application/events/finding/set-status-of-many.ts';
import { setStatusOfGroup } from '#application/groups/operations/status-of-group.ts';
import { known } from '#domain/known.ts';
import { StatusOfManyRequest } from '#schemas/http/events/events.ts';
import { StatusOfManyReply } from '#schemas/http/events/found.ts';

interface Asked {
  readonly which: EventsMeant;
  readonly wish: StatusWish;
}

const whichOf = ({ ids, correlationId, filter, expect }: z.output<typeof StatusOfManyRequest>): EventsMeant => {
  if (ids !== undefined) return { ids };
  if (correlationId !== undefined) return { correlationId };
  return { filter: known(filter, 'filter'), expect: known(expect, 'expected number') };
};

export const statusOfMany = endpoint<Asked, Done>({
  id: 'events.set-status-of-many',
  summary: 'Set the status of many events: by ids, of a group, or by filter',
  description: `Ids are taken literally. Of a group and of what a filter finds, \`acknowledged\` moves what is open, \`suppressed\` what is open or acknowledged, \`resolved\` what is not resolved; \`open\` moves all, but of a group nothing that recovered by itself. At most ${MAX_CHANGED.toLocaleString('en')} events are moved; with \`more\` the same request, under another Idempotency-Key, goes on. A resolved event of whose complaint another one is open cannot be opened and is in \`failed\`. 202 when some are in the log and were not moved in time (\`queued\`).`,
  tag: 'Events',
  permission: 'events.write',
  limit: 'query',
  takesLong: true,
  alsoFaults: ['not-found', 'conflict'],
  mounts: [
    mount({
      on: 'events',
      method: 'post',
      path: '/status',
      alsoStatus: [202],
      body: StatusOfManyRequest,
      reply: StatusOfManyReply,
      read: ({ body }): Asked => ({
        which: whichOf(body),
        wish: { status: body.status, notes: body.notes, category: body.resolutionCategory },
      }),
      present: ({ failed, queued, ...counts }) => ({
        status: queued > 0 ? 202 : 200,
        body: { ...counts, queued, failed: failed.map(({ id, why }) => ({ eventId: id, error: why })) },
      }),
    }),
  ],
  handle: ({ which, wish }, context) =>
    'correlationId' in which
      ? setStatusOfGroup(context, which.correlationId, wish)
      : setStatusOfMany(context, which, wish),
});
