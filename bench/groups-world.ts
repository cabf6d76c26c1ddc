/** The events and groups that lists of groups are measured on; whoever fills a store and whoever asks agree on them. */
import type { Group } from '#domain/correlation/records.ts';
import type { Event } from '#domain/event/event.ts';
import { create } from '#domain/event/lifecycle/occurrence.ts';
import { prepare } from '#domain/event/lifecycle/prepare.ts';
import { systemClock } from '#infra/system/time.ts';
import { randomIds } from '#test/setup/random-ids.ts';
import { Storm } from './storm.ts';

export const TENANT = 'groups';
/** Members of the largest group, the newest. */
export const LARGEST = 1_000;
/** Of the other events. */
export const GROUPED_SHARE = 0.6;
export const groupId = (number: number): string => `COR-${1_760_000_000_000 + number}-bench0`;

const HOUR_MS = 3_600_000;
const DAYS_MS = 20 * 24 * HOUR_MS;

export interface GroupsWorld {
  readonly events: number;
  /** The newest of the events. */
  readonly open: number;
  /** The last one is the largest. */
  readonly groups: number;
}
/** Events that follow each other, and the groups whose last member is among them. */
interface Part {
  readonly events: readonly Event[];
  readonly groups: readonly Group[];
}

const groupFrom = (number: number, members: readonly Event[]): Group => {
  const [first, last] = [members[0]!, members.at(-1)!];
  return {
    tenant: TENANT,
    id: groupId(number),
    aliases: [],
    mergedInto: null,
    size: members.length,
    status: number === 0 ? 'open' : 'closed',
    foundedBy: first.id,
    foundedAt: first.timestamp,
    first: first.timestamp,
    last: last.timestamp,
    candidate: {
      eventId: first.id,
      ciId: null,
      confidence: 0.5,
      reasoning: 'earliest_severe_event',
      score: 0.8,
      alternatives: [{ eventId: last.id, score: 0.4 }],
      explains: [],
    } as unknown as Group['candidate'],
    createdPosition: first.position,
    position: last.position,
  };
};

/** All of the world, in order, so many events at a time. */
export function* partsOf({ events: count, open, groups }: GroupsWorld, size: number): Generator<Part> {
  const storm = new Storm({ tenants: 1, cis: 20_000 });
  const began = systemClock.now() - DAYS_MS;
  const last = count - LARGEST;
  const groupOf = (n: number): number | null => {
    if (n >= last) return groups - 1;
    return n % 10 < 10 * GROUPED_SHARE ? Math.floor((n / last) * (groups - 1)) : null;
  };
  const eventOf = (n: number, group: number | null): Event => {
    const at = began + Math.floor((n / count) * DAYS_MS);
    const settings = { dedupScope: 'system', dedupWindowMs: HOUR_MS } as const;
    const draft = { ...storm.fresh(0), timestamp: at };
    const binding = { ci: null, ambiguous: false };
    const occurrence = prepare(draft, {
      binding,
      settings,
      newId: randomIds.ulid(),
      conditionId: null,
      receivedAt: at,
    });
    const recoveredAt = n < count - open ? at + 60_000 : null;
    const asked = { tenant: TENANT, occurrence, time: at, seen: null, recoveredAt };
    const made = create(asked, { position: n + 1, receivedAt: at });
    return group === null ? made : { ...made, correlationId: groupId(group) };
  };
  let [current, members]: [number, Event[]] = [0, []];
  for (let from = 0; from < count; from += size) {
    const [events, closed]: [Event[], Group[]] = [[], []];
    for (let n = from; n < Math.min(count, from + size); n++) {
      const group = groupOf(n);
      const event = eventOf(n, group);
      events.push(event);
      if (group === null) continue;
      if (group !== current && members.length > 0) {
        closed.push(groupFrom(current, members));
        members = [];
      }
      current = group;
      members.push(event);
    }
    if (from + size >= count) closed.push(groupFrom(current, members));
    yield { events, groups: closed };
  }
}
