import { describe, expect, test } from '@jest/globals';
import type { Decision } from '#domain/correlation/records.ts';
import { arrivalOf, enrichedOf, groupsIn, TENANT } from '#test/setup/merge-kit.ts';
import { apply } from './apply.ts';
import { forget, memberOf, openMemory, remember, revive } from './group-memory.ts';
import { openGroupOf } from './groups.ts';

const HOUR = 3_600_000;
const factsAt = (eventId: string, time: number) => enrichedOf(arrivalOf({ eventId, time }));
const left = (memory: ReturnType<typeof openMemory>) => [...memory.recent.keys()];

describe('forget', () => {
  const filled = () => {
    const memory = openMemory();
    for (const [i, id] of ['a', 'b', 'c', 'd'].entries()) remember(memory, factsAt(id, i * HOUR));
    return memory;
  };

  test('keeps the newest up to the bound', () => {
    const memory = filled();
    forget(memory, null, 3);
    expect(left(memory)).toEqual(['b', 'c', 'd']);
  });

  test('keeps what a window still reaches: the largest is 1 h', () => {
    const memory = filled();
    forget(memory, factsAt('now', 2 * HOUR));
    expect(left(memory)).toEqual(['b', 'c', 'd']);
    forget(memory, factsAt('now', 2 * HOUR + 1));
    expect(left(memory)).toEqual(['c', 'd']);
  });

  test('another tenant’s time does not count', () => {
    const memory = filled();
    forget(memory, enrichedOf(arrivalOf({ eventId: 'x', tenant: 'other', time: 99 * HOUR })));
    expect(left(memory)).toHaveLength(4);
  });

  test('keeps what an undecided arrival names', () => {
    const memory = filled();
    memberOf(memory, TENANT, 'a')!.pins = 1;
    forget(memory, null, 2);
    expect(left(memory)).toEqual(['a', 'd']);
  });
});

test('remember gives the one object of an event, and never that of another tenant', () => {
  const memory = openMemory();
  const member = remember(memory, factsAt('a', 0));
  expect(remember(memory, factsAt('a', 0))).toBe(member);
  expect(memberOf(memory, 'other', 'a')).toBeUndefined();
});

test('a group that is opened again goes on with the objects that are remembered now', () => {
  const memory = openMemory();
  const [a, b] = [factsAt('a', 0), factsAt('b', 1)];
  const nothing = {
    tenant: TENANT,
    accepted: [],
    refused: [],
    merged: [],
    closed: [],
    joined: [],
    cut: {},
    manual: false,
  };
  const founding: Decision = {
    ...nothing,
    position: 2,
    eventId: 'b',
    groupId: 'G',
    founded: { eventId: 'a', time: 0 },
    joined: ['a', 'b'],
  };
  remember(memory, a);
  apply(memory, founding, b);
  const group = openGroupOf(memberOf(memory, TENANT, 'a')!)!;
  apply(memory, { ...nothing, position: 3, eventId: 'c', groupId: null, closed: ['G'] }, factsAt('c', HOUR * 2));
  memory.recent.delete('b');
  const again = remember(memory, b, 'G');
  revive(memory, group);
  expect(memberOf(memory, TENANT, 'b')).toBe(again);
  expect(openGroupOf(again)).toBe(group);
  expect(groupsIn(memory)).toMatchObject([{ id: 'G', status: 'open', members: ['a', 'b'] }]);
  expect(group.members.get('b')).toBe(again);
});

test('what came back, joined another group and was taken out of that is no member of the first when it is opened again', () => {
  const memory = openMemory();
  const nothing = { tenant: TENANT, accepted: [], refused: [], merged: [], closed: [], joined: [], cut: {} } as const;
  const decide = (decision: Partial<Decision>, facts: ReturnType<typeof factsAt>): void => {
    const whole = {
      ...nothing,
      groupId: null,
      manual: false,
      eventId: facts.arrival.eventId,
      position: 0,
      ...decision,
    };
    apply(memory, whole as Decision, facts);
  };
  const [a, b] = [factsAt('a', 0), factsAt('b', 1)];
  remember(memory, a);
  decide({ position: 2, groupId: 'G', founded: { eventId: 'a', time: 0 }, joined: ['a', 'b'] }, b);
  const group = openGroupOf(memberOf(memory, TENANT, 'b')!)!;
  const returned = arrivalOf({ eventId: 'a', time: 3 * HOUR, position: 4, rebound: true, again: 'returned' });
  decide({ position: 4, closed: ['G'] }, enrichedOf(returned));
  const founded = { eventId: 'a', time: 3 * HOUR };
  decide({ position: 5, groupId: 'H', founded, joined: ['a', 'c'] }, factsAt('c', 3 * HOUR));
  const apart = { id: 's', from: 'H', left: ['a'], stayed: ['c'] };
  decide({ position: 6, eventId: 'a', manual: true, apart }, enrichedOf(returned));
  revive(memory, group);
  expect([...group.members.keys()]).toEqual(['b']);
});

test('a decision whose facts are not at hand changes nothing', () => {
  const memory = openMemory();
  const decision = {
    tenant: TENANT,
    position: 2,
    eventId: 'b',
    groupId: 'G',
    joined: ['b', 'ghost'],
  } as unknown as Decision;
  const founding = {
    ...decision,
    founded: { eventId: 'b', time: 0 },
    merged: [],
    closed: [],
    accepted: [],
    refused: [],
  };
  expect(() => apply(memory, founding, factsAt('b', 0))).toThrow('ghost');
  expect(memory.tenants.size).toBe(0);
});
