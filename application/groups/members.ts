import { decisionsOfMany, groupMemberships, linksOf } from '#application/events/group-membership.ts';
import type { Group } from '#domain/correlation/records.ts';
import type { Event } from '#domain/event/event.ts';
import type { Page, PageRequest } from '#domain/page.ts';
import type { EventSort } from '#domain/ports/events/event-store.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { GroupMembership } from '#schemas/http/events/event-view.ts';

/** The link that put an event into its group. */
export interface JoinedBy {
  readonly strategy: string;
  readonly score: number;
  readonly literalScore: number;
  /** Storage id of the member that it is linked to. */
  readonly other: string;
}

export interface Members {
  readonly found: Page<Event>;
  readonly places: ReadonlyMap<string, GroupMembership>;
  /** Best link by event; an event without a stored link is missing. */
  readonly joinedBy: ReadonlyMap<string, JoinedBy>;
}

type MemberPorts = Pick<Ports, 'events' | 'correlation'>;

/** A page of the members of a group, with the best link of each. */
export const membersPage = async (
  ports: MemberPorts,
  tenant: string,
  { id, aliases }: Group,
  page: PageRequest<EventSort>,
): Promise<Members> => {
  const found = await ports.events.find(tenant, { correlationIds: [id, ...aliases] }, page);
  const joinedBy = new Map<string, JoinedBy>();
  for await (const { ids, decisions } of decisionsOfMany(
    ports,
    tenant,
    found.items.map((event) => event.id),
  ))
    for (const eventId of ids) {
      const best = linksOf(decisions, eventId).find(({ refusedBy }) => refusedBy === undefined);
      const [reason] = best?.link.reasons ?? [];
      if (best === undefined || reason === undefined) continue;
      const { score, literalScore } = best.link;
      const top = best.link.reasons.reduce((one, other) => (other.score > one.score ? other : one), reason);
      joinedBy.set(eventId, { strategy: top.strategy, score, literalScore, other: best.other });
    }
  return { found, places: await groupMemberships(ports, tenant, found.items), joinedBy };
};
