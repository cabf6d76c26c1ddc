import { describe, expect, test } from '@jest/globals';
import { NO_SETTINGS } from '#domain/access/console.ts';
import { openSettings, usable } from './settings.ts';

describe('what was kept', () => {
  test.each([
    [null, {}],
    ['nonsense', {}],
    [[1], {}],
    [{ theme: 'pink', density: 7, zone: 'Mars/Base', shortcuts: 'no', columns: 'a', hints: [1] }, {}],
    [
      { theme: 'dark', zone: 'Europe/Berlin', shortcuts: false },
      { theme: 'dark', zone: 'Europe/Berlin', shortcuts: false },
    ],
    [
      { zone: null, sound: true, hints: ['map'] },
      { sound: true, hints: ['map'] },
    ],
    [{ columns: { events: ['title'] } }, { columns: { events: ['title'] } }],
    [{ views: { groups: '01J', events: 7 } }, { views: { groups: '01J' } }],
  ])('%j', (kept, expected) => {
    expect(usable(kept)).toEqual({ ...NO_SETTINGS, ...expected });
  });
});

test('a change is told and kept', () => {
  const kept: string[] = ['{"theme":"dark"}'];
  const store = openSettings({ read: () => kept.at(-1) ?? null, write: (text) => kept.push(text) });
  let told = 0;
  store.subscribe(() => {
    told += 1;
  });
  store.change({ density: 'compact' });
  expect(store.get()).toEqual({ ...NO_SETTINGS, theme: 'dark', density: 'compact' });
  store.adopt({ theme: 'light', zone: 'nowhere' });
  expect([store.get(), told]).toEqual([{ ...NO_SETTINGS, theme: 'light' }, 2]);
  expect(JSON.parse(kept.at(-1) ?? '')).toEqual(store.get());
});

test('a store that holds no JSON is no obstacle', () => {
  expect(openSettings({ read: () => '{', write: () => undefined }).get()).toEqual(NO_SETTINGS);
});
