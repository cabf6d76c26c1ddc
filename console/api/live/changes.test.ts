import { describe, expect, test } from '@jest/globals';
import { type Changed, type Changes, changesOf, EVERYTHING, merged } from './changes.ts';

const shown = (changes: Changes): Record<string, string[] | 'all'> =>
  Object.fromEntries([...changes].map(([topic, changed]) => [topic, changed === 'all' ? 'all' : [...changed]]));

describe('what the stream tells', () => {
  test.each([
    [{ groups: { ids: ['G1'], more: 0 } }, { groups: ['G1'] }],
    [{ events: { created: 9, changed: 0, ids: ['E1'], more: 8 } }, { events: 'all' }],
    [
      { topology: { cis: { ids: ['C1'], more: 0 }, relationships: { ids: ['R1'], more: 0 } } },
      { topology: ['C1', 'R1'] },
    ],
    [{ pipeline: { deadLetters: 2 }, at: 'now' }, { pipeline: 'all' }],
    [{ at: 'now' }, {}],
  ])('%j', (data, expected) => {
    expect(shown(changesOf(JSON.stringify(data)))).toEqual(expected);
  });

  test.each(['', 'null', '7', '{'])('that is %j means: read everything', (data) => {
    expect(changesOf(data)).toBe(EVERYTHING);
  });
});

describe('changes that wait', () => {
  const of = (...ids: string[]): Changes => new Map<'groups', Changed>([['groups', new Set(ids)]]);

  test('are put together, each id once', () => {
    expect(shown(merged(of('a', 'b'), of('b', 'c')))).toEqual({ groups: ['a', 'b', 'c'] });
    expect(shown(merged(of('a'), new Map([['events', 'all']])))).toEqual({ groups: ['a'], events: 'all' });
  });

  test('never become more than 1,000 ids of a topic', () => {
    let waiting: Changes = new Map();
    for (let i = 0; i < 1_000; i += 1) waiting = merged(waiting, of(`G${i}`));
    expect((waiting.get('groups') as ReadonlySet<string>).size).toBe(1_000);
    for (let i = 1_000; i < 50_000; i += 500) waiting = merged(waiting, of(`G${i}`));
    expect(shown(waiting)).toEqual({ groups: 'all' });
  });
});
