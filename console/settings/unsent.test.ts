import { expect, test } from '@jest/globals';
import { NO_SETTINGS } from '#domain/access/console.ts';
import { openUnsent } from './unsent.ts';

const place = () => {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
    removeItem: (name: string) => void kept.delete(name),
  };
};

test('what was changed and not sent is known after a load, to this person alone, until it is sent', () => {
  const here = place();
  const changed = { ...NO_SETTINGS, theme: 'dark', sound: true } as const;
  openUnsent('ann', here).add(NO_SETTINGS, { ...NO_SETTINGS, theme: 'dark' });
  openUnsent('ann', here).add({ ...NO_SETTINGS, theme: 'dark' }, changed);
  expect(openUnsent('bob', here).of(changed)).toEqual({});
  expect(openUnsent('ann', here).of(changed)).toEqual({ theme: 'dark', sound: true });
  openUnsent('ann', here).forget();
  expect(openUnsent('ann', here).of(changed)).toEqual({});
});

test('what stays as it was leaves no trace', () => {
  const here = place();
  openUnsent('ann', here).add(NO_SETTINGS, { ...NO_SETTINGS });
  expect(here.getItem('faultline-settings-unsent')).toBe(null);
});
