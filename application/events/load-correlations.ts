import { correlationSettings } from '#application/records/tenant-settings.ts';
import type { Decision, Group } from '#domain/correlation/records.ts';
import type { Event } from '#domain/event/event.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { GroupMembership } from '#schemas/http/events/event-view.ts';
import { GROUP_EVENTS, type SeenLink } from '#schemas/http/events/group-view.ts';
import { findEvent } from './find-event.ts';
import { firstArrival } from './first-arrival.ts';
import {
  decisionsAbout,
  groupMembership,
  groupMemberships,
  groupOf,
  linksOf,
  membersOf,
  membersShown,
  type StoredLink,
  truncatedOf,
} from './group-membership.ts';

/** An event with all that correlation knows of it. */
export interface Correlated {
  readonly event: Event;
  readonly place: GroupMembership | null;
  readonly group: Group | null;
  readonly members: readonly Event[];
  readonly places: ReadonlyMap<string, GroupMembership>;
  /** Event time of the tenant's first new event, ms; null without a group. */
  readonly first: number | null;
  readonly links: readonly SeenLink[];
  readonly truncated: Decision['cut'];
  /** The tenant's current profile, for links whose decision does not contain one. */
  readonly profile: string;
}

/** Links shown with an event. */
const LINKS = 100;

export const loadCorrelations = async (ports: Ports, tenant: string, eventId: string): Promise<Correlated> => {
  const event = await findEvent(ports, tenant, eventId);
  const [group, decisions, settings] = await Promise.all([
    groupOf(ports, event),
    decisionsAbout(ports, tenant, event.id),
    correlationSettings(ports.records, tenant),
  ]);
  const members = group ? await membersOf(ports, tenant, group, membersShown(event, group, GROUP_EVENTS)) : [];
  const [first, places, links] = await Promise.all([
    group && firstArrival(ports, tenant),
    groupMemberships(ports, tenant, members.slice(0, GROUP_EVENTS)),
    withEvents(ports, tenant, linksOf(decisions, event.id).slice(0, LINKS)),
  ]);
  const place = group && groupMembership(event, group, members, decisions);
  const truncated = truncatedOf(decisions, event.id);
  return { event, place, group, members, places, first, links, truncated, profile: settings.profile };
};

/** Puts the other event beside each link; one that retention has removed is left out. */
export const withEvents = async (
  ports: Pick<Ports, 'events'>,
  tenant: string,
  links: readonly StoredLink[],
): Promise<SeenLink[]> => {
  const events = await ports.events.getMany(
    tenant,
    links.map(({ other }) => other),
  );
  const byId = new Map(events.map((event) => [event.id, event]));
  return links.flatMap(({ other, ...seen }) => {
    const event = byId.get(other);
    return event ? [{ other: event, ...seen }] : [];
  });
};
