import { describe, expect, test } from '@jest/globals';
import { type Sample, scoreOf } from './score.ts';

let events = 0;
const event = (incident: string | null, group: string | null, more: Partial<Sample> = {}): Sample => ({
  eventId: `e${++events}`,
  incident,
  group,
  isCause: false,
  isEarly: false,
  ...more,
});
const NO_ROOTS = new Map<string, string>();

describe('pairwise score', () => {
  test('is 1 when groups are incidents and noise stands alone', () => {
    const judged = [event('a', 'g'), event('a', 'g'), event('b', 'h'), event('b', 'h'), event(null, null)];
    expect(scoreOf(judged, NO_ROOTS)).toMatchObject({ precision: 1, recall: 1, f1: 1 });
  });

  test('counts pairs: two incidents of two in one group are 2 right of 6', () => {
    const judged = [event('a', 'g'), event('a', 'g'), event('b', 'g'), event('b', 'g')];
    const { precision, recall, f1 } = scoreOf(judged, NO_ROOTS);
    expect(precision).toBeCloseTo(2 / 6, 10);
    expect(recall).toBe(1);
    expect(f1).toBeCloseTo(0.5, 10);
  });

  test('an incident in two halves of two has 2 of its 6 pairs', () => {
    const judged = [event('a', 'g'), event('a', 'g'), event('a', 'h'), event('a', 'h')];
    expect(scoreOf(judged, NO_ROOTS)).toMatchObject({ precision: 1, recall: 2 / 6 });
  });

  test('grouped noise costs precision even among itself', () => {
    const judged = [event('a', 'g'), event('a', 'g'), event(null, 'n'), event(null, 'n')];
    expect(scoreOf(judged, NO_ROOTS)).toMatchObject({ precision: 0.5, recall: 1 });
  });

  test('says nothing where there is nothing to count', () => {
    const nothing = { precision: null, recall: null, f1: null, causes: { known: 0, first: 0 }, incidents: [] };
    expect(scoreOf([], NO_ROOTS)).toMatchObject({ ...nothing, noise: { events: 0, grouped: 0, share: null } });
    expect(scoreOf([event('a', null), event('a', null)], NO_ROOTS)).toMatchObject({
      precision: null,
      recall: 0,
      f1: 0,
    });
  });
});

test('noise is counted apart for the hours of learning', () => {
  const judged = [
    event(null, 'g', { isEarly: true }),
    event(null, 'g', { isEarly: true }),
    event(null, 'h'),
    event('a', 'h'),
    ...Array.from({ length: 3 }, () => event(null, null)),
  ];
  expect(scoreOf(judged, NO_ROOTS).noise).toEqual({
    events: 6,
    grouped: 3,
    share: 0.5,
    early: { events: 2, grouped: 2, share: 1 },
    later: { events: 4, grouped: 1, share: 0.25 },
  });
});

describe('root cause at first place', () => {
  const cause = event('a', 'g', { isCause: true });
  const a = [cause, event('a', 'g'), event('a', 'h')];

  test.each([
    ['the cause leads the group with most of the events', new Map([['g', cause.eventId]]), true],
    ['another event leads it', new Map([['g', a[1]!.eventId]]), false],
    ['the cause leads nothing', NO_ROOTS, false],
  ])('%s', (_, roots, first) => {
    const { incidents, causes } = scoreOf(a, roots);
    expect(incidents).toEqual([{ incident: 'a', events: 3, group: 'g', held: 2, causeFirst: first }]);
    expect(causes).toEqual({ known: 1, first: first ? 1 : 0 });
  });

  test('a cause that no monitor saw is not asked for', () => {
    const { incidents, causes } = scoreOf([event('b', 'g'), event('b', 'g')], NO_ROOTS);
    expect(incidents[0]?.causeFirst).toBeNull();
    expect(causes).toEqual({ known: 0, first: 0 });
  });

  test('a flapping cause may be found at any of its returns', () => {
    const second = event('a', 'g', { isCause: true });
    expect(scoreOf([...a, second], new Map([['g', second.eventId]])).causes.first).toBe(1);
  });

  test('a cause left alone by its group is not first, whatever stands there', () => {
    const lonely = event('c', null, { isCause: true });
    const judged = [lonely, event('c', 'g'), event('c', 'g')];
    expect(scoreOf(judged, new Map([['g', judged[1]!.eventId]])).causes).toEqual({ known: 1, first: 0 });
  });
});
