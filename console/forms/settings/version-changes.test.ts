import { expect, test } from '@jest/globals';
import type { SettingsSection } from './field.ts';
import { versionChanges } from './version-changes.ts';

const SECTIONS: readonly SettingsSection[] = [
  {
    title: 'Grouping',
    rows: [
      {
        words: 'Minimum score',
        help: '',
        fields: [{ kind: 'number', path: 'threshold', words: 'above', least: 0, most: 1, step: 0.01 }],
      },
    ],
  },
];

test('versions differ in settings, by name where the page has one, with the default where there is no value', () => {
  const before = { threshold: 0.8, strategies: { topology: { hops: 2, enabled: true } } };
  const after = { strategies: { topology: { hops: 3, enabled: true } }, heartbeats: ['Watchdog'] };
  expect(versionChanges(before, after, SECTIONS)).toEqual([
    { field: 'Minimum score', before: '0.8', after: 'Default' },
    { field: 'strategies.topology.hops', before: '2', after: '3' },
    { field: 'heartbeats', before: 'Default', after: '["Watchdog"]' },
  ]);
  expect(versionChanges({}, {}, SECTIONS)).toEqual([]);
});
