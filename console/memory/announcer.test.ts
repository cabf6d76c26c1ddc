import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { openAnnouncer } from './announcer.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const listening = () => {
  const announcer = openAnnouncer(() => jest.now());
  const heard: string[] = [];
  announcer.subscribe(() => heard.push(announcer.text().trim()));
  return { announcer, heard };
};

test('the first change is said at once, of those within 10 s only the last', () => {
  const { announcer, heard } = listening();
  for (let n = 1; n <= 1_000; n++) announcer.announce('list', `${n} new`);
  expect(heard).toEqual(['1 new']);
  jest.advanceTimersByTime(9_999);
  expect(heard).toEqual(['1 new']);
  jest.advanceTimersByTime(1);
  expect(heard).toEqual(['1 new', '1000 new']);
});

test('in a storm of ten minutes there are at most 61', () => {
  const { announcer, heard } = listening();
  for (let second = 0; second <= 600; second++) {
    announcer.announce('list', `${second} new`);
    jest.advanceTimersByTime(1_000);
  }
  expect(heard.length).toBeLessThanOrEqual(61);
});

test('after a pause the next one is said at once, and the same text is a change again', () => {
  const { announcer, heard } = listening();
  announcer.announce('list', '1 new');
  const before = announcer.text();
  jest.advanceTimersByTime(10_000);
  announcer.announce('list', '1 new');
  expect(heard).toEqual(['1 new', '1 new']);
  expect(announcer.text()).not.toBe(before);
});

test('what is new in a list does not take the word from a critical group', () => {
  const { announcer, heard } = listening();
  announcer.announce('list', '1 new');
  announcer.announce('critical', 'New critical group: Fire');
  announcer.announce('list', '2 new');
  jest.advanceTimersByTime(10_000);
  expect(heard).toEqual(['1 new', 'New critical group: Fire. 2 new']);
});
