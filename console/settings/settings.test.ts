import { describe, expect, test } from '@jest/globals';
import { DEFAULTS, openSettings, readSettings } from './settings.ts';

describe('what was kept', () => {
  test.each([
    [null, {}],
    ['nonsense', {}],
    [{ theme: 'pink', density: 7, zone: 'Mars/Base', letters: 'no' }, {}],
    [
      { theme: 'dark', zone: 'Europe/Berlin', letters: false },
      { theme: 'dark', zone: 'Europe/Berlin', letters: false },
    ],
    [{ zone: 'browser', sound: true }, { sound: true }],
  ])('%j', (kept, expected) => {
    expect(readSettings(kept)).toEqual({ ...DEFAULTS, ...expected });
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
  store.adopt({ theme: 'light', zone: 'nowhere' });
  expect([store.get(), told]).toEqual([{ ...DEFAULTS, theme: 'light', density: 'compact' }, 2]);
  expect(JSON.parse(kept.at(-1) ?? '')).toEqual(store.get());
});

test('a store that holds no JSON is no obstacle', () => {
  expect(openSettings({ read: () => '{', write: () => undefined }).get()).toEqual(DEFAULTS);
});
