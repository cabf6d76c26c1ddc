import type { z } from 'zod';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { actorOf } from '#application/access/actor.ts';
import { trailOf } from '#application/access/audit.ts';
import { appendAndWait, onceGrouped } from '#application/events/append-and-wait.ts';
import { firstArrival } from '#application/events/first-arrival.ts';
import { groupMemberships, groupOf, membersOf } from '#application/events/group-membership.ts';
import { readAfter } from '#application/records/read-after.ts';
import { SET_BY_HAND } from '#domain/correlation/grouping/links.ts';
import type { Group } from '#domain/correlation/records.ts';
import { type Event, parseEventId } from '#domain/event/event.ts';
import type { Link } from '#domain/event/incoming.ts';
import { Fault, invalid } from '#domain/fault.ts';
import type { GroupMembership } from '#schemas/http/events/event-view.ts';
import { ManualCorrelateRequest } from '#schemas/http/events/events.ts';
import { correlationGroup, GROUP_EVENTS, ManualCorrelateReply } from '#schemas/http/events/group-view.ts';

type ManualCorrelation = z.output<typeof ManualCorrelateRequest>;
/** Null: the events are in the log, and their group cannot be read yet. */
type CorrelationResult = Correlated | null;
interface Correlated {
  readonly group: Group;
  readonly members: readonly Event[];
  readonly places: ReadonlyMap<string, GroupMembership>;
  readonly first: number | null;
}

/** A thousand links with the reason in each would exceed the limit of the log: the first one carries it for all. */
const linksByHand = (others: readonly string[], said: string | undefined): Link[] =>
  others.map((other, place) => {
    const reason = (place === 0 && said) || SET_BY_HAND;
    const why = { strategy: 'manual', score: 1, literalScore: 1, reason, details: {} };
    return { other, score: 1, literalScore: 1, reasons: [why] };
  });

export const correlateManually = endpoint<ManualCorrelation, CorrelationResult>({
  id: 'events.correlate-manually',
  summary: 'Correlate events manually',
  description:
    "Score 1.0, strategy `manual`; guards don't apply. Nothing is written if an event is unknown. Returns 202 with `status: queued` if the group isn't available yet.",
  tag: 'Correlation',
  permission: 'events.correlate',
  limit: 'query',
  alsoFaults: ['not-found'],
  mounts: on.events.post('/correlate', {
    body: ManualCorrelateRequest,
    alsoStatus: [202],
    reply: ManualCorrelateReply,
    read: ({ body }) => body,
    present(found, { requestId }) {
      if (found === null)
        return { status: 202, body: { status: 'queued', requestId, correlationId: null, correlationGroup: null } };
      const { group, members, places, first } = found;
      return { body: { correlationId: group.id, correlationGroup: correlationGroup(group, members, places, first) } };
    },
  }),
  async handle({ primaryEventId, relatedEventIds, reason, notes }, context) {
    const { tenant, ports, caller, receivedAt } = context;
    const ids = new Map([primaryEventId, ...relatedEventIds].map((text) => [text, parseEventId(text)]));
    const known = new Set(
      (
        await ports.events.getMany(
          tenant,
          [...ids.values()].flatMap((id) => id ?? []),
        )
      ).map(({ id }) => id),
    );
    const unknown = [...ids].filter(([, id]) => id === null || !known.has(id)).map(([text]) => text);
    if (unknown.length > 0) {
      throw new Fault('not-found', `Events ${unknown.slice(0, 20).join(', ')} were not found`, [], {
        data: { eventIds: unknown },
      });
    }
    const eventId = ids.get(primaryEventId) as string;
    const others = [...new Set(relatedEventIds.map((text) => ids.get(text) as string))].filter((id) => id !== eventId);
    if (others.length === 0) throw invalid('relatedEventIds', 'expected at least one event other than primaryEventId');
    const by = actorOf(caller);
    const links = linksByHand(others, reason);
    const said = { ...(notes !== undefined && { notes }), trail: trailOf(context) };
    const ask = { kind: 'related', eventId, links, manual: true, by, ...said } as const;
    await appendAndWait(ports, tenant, ask, receivedAt);
    return readAfter(async () => {
      const [event] = await onceGrouped(ports, tenant, [eventId, ...others]);
      const group = event && (await groupOf(ports, event));
      if (!group) return null;
      const members = await membersOf(ports, tenant, group, GROUP_EVENTS);
      const [places, first] = await Promise.all([
        groupMemberships(ports, tenant, members),
        firstArrival(ports, tenant),
      ]);
      return { group, members, places, first };
    }, null);
  },
});
