import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Decision, Group } from '#domain/correlation/records.ts';
import type { Event } from '#domain/event/event.ts';
import type { EventKey, LastingMember } from '#domain/pipeline/processor.ts';
import type { Opened } from './opened.ts';
import { sampleDecision, sampleEvent, sampleGroup, ulidOf } from './samples.ts';

interface SavedGroups {
  readonly events: readonly Event[];
  readonly groups: readonly Group[];
  readonly decisions: readonly Decision[];
}

/** The reads of merge by which a member that returns finds its closed group, and by which it knows after a start which members are on. */
export interface ClosedGroups {
  save(saved: SavedGroups): Promise<void>;
  homes(keys: readonly EventKey[]): Promise<ReadonlyMap<string, string>>;
  lasting(decided: number): Promise<readonly LastingMember[]>;
}

const [closed, alias, open] = [
  sampleGroup(1, { status: 'closed', aliases: [sampleGroup(2).id], position: 20 }),
  sampleGroup(2, { status: 'merged', mergedInto: sampleGroup(1).id, position: 20 }),
  sampleGroup(3, { position: 20 }),
];
const joining = (number: number, { id }: Group): Decision =>
  sampleDecision(number, { groupId: id, joined: [ulidOf(number)] });
const member = (number: number, { id }: Group, changes: Partial<Event> = {}): Event =>
  sampleEvent(number, { correlationId: id, ...changes });

/** Two groups that were joined and have closed, an open one, and an event in none. */
const saved: SavedGroups = {
  groups: [closed, alias, open],
  events: [
    member(1, closed),
    member(2, closed, { status: 'acknowledged' }),
    member(3, closed, { status: 'resolved' }),
    member(4, closed, { status: 'suppressed' }),
    member(5, alias),
    member(6, open),
    sampleEvent(7),
    sampleEvent(8),
  ],
  decisions: [
    ...[1, 2, 3, 4].map((number) => joining(number, closed)),
    joining(5, alias),
    joining(6, open),
    sampleDecision(7),
    joining(8, closed),
    // A user has removed it.
    sampleDecision(9, { eventId: ulidOf(8), apart: { id: 's', from: closed.id, left: [ulidOf(8)], stayed: [] } }),
  ],
};
const keysOf = (tenant: string) => saved.events.map(({ id }) => ({ tenant, id }));

export function closedGroupsContract(name: string, openOne: () => Promise<Opened<ClosedGroups>>) {
  describe(`${name} keeps the contract of closed groups`, () => {
    let store: ClosedGroups;
    let close: () => Promise<void>;
    beforeEach(async () => {
      ({ store, close } = await openOne());
    });
    afterEach(() => close());

    test('an event is at home in the closed group that stands for where it was put last', async () => {
      await store.save(saved);
      const homes = await store.homes(keysOf('acme'));
      expect([...homes].sort()).toEqual([1, 2, 3, 4, 5].map((number) => [ulidOf(number), closed.id]));
      expect((await store.homes(keysOf('other'))).size).toBe(0);
    });

    test('those of its members last that are open or acknowledged', async () => {
      await store.save(saved);
      const found = (await store.lasting(99)).map(({ tenant, eventId, groupId }) => [tenant, eventId, groupId]);
      expect(found.sort()).toEqual([1, 2, 5].map((number) => ['acme', ulidOf(number), closed.id]));
    });

    test('a group that is open again is nobody’s closed group', async () => {
      await store.save(saved);
      const again = { ...closed, status: 'open', position: 30 } as const;
      await store.save({ events: [], decisions: [], groups: [again] });
      expect((await store.homes(keysOf('acme'))).size).toBe(0);
      expect(await store.lasting(99)).toEqual([]);
    });

    test('an empty store has none', async () => {
      expect((await store.homes(keysOf('acme'))).size).toBe(0);
      expect(await store.lasting(0)).toEqual([]);
    });
  });
}
