import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hear, type PollTimes, pollingIntervalAt } from './polling-interval.ts';

const T = 1_763_629_200_000;
const SECOND = 1_000;
const MINUTE = 60_000;

const heard = (times: readonly number[], source = 'zabbix'): PollTimes => {
  const rhythms: PollTimes = new Map();
  for (const time of times) hear(rhythms, source, T + time);
  return rhythms;
};
const every = (step: number, looks: readonly number[]): number[] => looks.map((look) => look * step);
const LOOKS = [0, 1, 2, 4, 5, 8, 9];

describe('how often a sender looks', () => {
  test.each([
    ['every 5 min, some looks without a word', every(5 * MINUTE, LOOKS), 5 * MINUTE],
    ['every minute', every(MINUTE, LOOKS), MINUTE],
    ['every minute, a second late at times', [0, 61, 120, 181, 300, 421, 480].map((s) => s * SECOND), 59 * SECOND],
    [
      'several events of one look',
      [...every(MINUTE, LOOKS), ...every(MINUTE, LOOKS).map((t) => t + 2 * SECOND)],
      MINUTE,
    ],
    ['at any time', [0, 70, 95, 260, 290, 470, 500].map((s) => s * SECOND), 0],
    ['too few words to tell', every(MINUTE, [0, 1, 2, 3, 4]), 0],
    ['every 10 s: as good as at any time', every(10 * SECOND, LOOKS), 0],
    ['every 10 min: too seldom', every(10 * MINUTE, LOOKS), 0],
  ])('%s', (_, times, rhythm) => {
    expect(pollingIntervalAt(heard(times), 'zabbix', T + Math.max(...times))).toBe(rhythm);
  });

  test('one message out of turn in twenty undoes nothing', () => {
    const looks = every(
      MINUTE,
      Array.from({ length: 25 }, (_, look) => look),
    );
    const times = [...looks, 10.4 * MINUTE].sort((a, b) => a - b);
    expect(pollingIntervalAt(heard(times), 'zabbix', T + 24 * MINUTE)).toBe(MINUTE);
  });

  test('what was four hours ago counts no more, and each sender has its own', () => {
    const rhythms = heard(every(MINUTE, LOOKS));
    expect(pollingIntervalAt(rhythms, 'zabbix', T + 5 * 60 * MINUTE)).toBe(0);
    expect(pollingIntervalAt(rhythms, 'nagios', T + 9 * MINUTE)).toBe(0);
  });

  test('property: the order in which a sender is heard changes nothing', () => {
    const times = fc.uniqueArray(fc.integer({ min: 0, max: 600 }), { maxLength: 90 });
    fc.assert(
      fc.property(
        times.chain((looks) => fc.tuple(fc.constant(looks), fc.shuffledSubarray(looks, { minLength: looks.length }))),
        ([looks, shuffled]) => {
          const at = T + 60 * MINUTE;
          const [one, other] = [heard(every(3 * SECOND, shuffled)), heard(every(3 * SECOND, looks))];
          expect(one).toEqual(other);
          expect(pollingIntervalAt(one, 'zabbix', at)).toBe(pollingIntervalAt(other, 'zabbix', at));
        },
      ),
    );
  });

  test('a thousand senders are remembered, and the one whose newest word is oldest is forgotten', () => {
    const rhythms: PollTimes = new Map();
    for (const look of LOOKS) hear(rhythms, 'first', T + look * MINUTE);
    for (let sender = 0; sender < 999; sender++) hear(rhythms, `sender ${sender}`, T);
    hear(rhythms, 'first', T + 10 * MINUTE);
    for (let sender = 0; sender < 500; sender++) hear(rhythms, `another ${sender}`, T);
    expect(rhythms.size).toBe(1_000);
    expect(pollingIntervalAt(rhythms, 'first', T + 10 * MINUTE)).toBe(MINUTE);
  });
});
