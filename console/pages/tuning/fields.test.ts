import { describe, expect, test } from '@jest/globals';
import { differences, draftOf, overtaken, patchOf, valueAt, wished } from '#console/forms/settings/draft.ts';
import type { Field, SettingsSection } from '#console/forms/settings/field.ts';
import { DEFAULT_SETTINGS, settingsWith } from '#domain/correlation/settings/tenant-settings.ts';
import { DEFAULT_LIFECYCLE } from '#domain/event/lifecycle/lifecycle.ts';
import { LifecyclePut } from '#schemas/http/admin/lifecycle.ts';
import { CorrelationPatch } from '#schemas/http/admin/settings.ts';
import { ARRIVAL, ENDING, GROUPING } from './fields.ts';

const fieldsOf = (sections: readonly SettingsSection[]): Field[] =>
  sections.flatMap(({ rows }) => rows.flatMap(({ fields }) => fields));
const CORRELATION = fieldsOf([...GROUPING, ...ARRIVAL]);

const extremes = (field: Field): readonly [unknown, boolean][] => {
  if (field.kind === 'number') {
    const beyond = field.step;
    return [
      [field.least, true],
      [field.most, true],
      [field.least - beyond, false],
      [field.most + beyond, false],
    ];
  }
  if (field.kind === 'duration')
    return [
      [field.least, true],
      [field.most, true],
      [field.least - 1, false],
      [field.most + 1, false],
    ];
  if (field.kind === 'choice')
    return [...field.choices.map(({ value }) => [value, true] as [unknown, boolean]), ['no such', false]];
  if (field.kind === 'several')
    return [
      [field.choices.map(({ value }) => value), true],
      [['no such'], false],
    ];
  return field.kind === 'list' ? [[['Watchdog'], true]] : [[true, true]];
};

describe('every setting of the page', () => {
  test.each(CORRELATION.map((field) => [field.path, field] as const))(
    '%s has the bounds of the server',
    (path, field) => {
      expect(valueAt(DEFAULT_SETTINGS, path)).toBeDefined();
      for (const [value, isGood] of extremes(field)) {
        const patch = patchOf({ [path]: value as never }, {});
        expect([value, CorrelationPatch.safeParse(patch).success]).toEqual([value, isGood]);
      }
    },
  );

  test.each(fieldsOf(ENDING).map((field) => [field.path, field] as const))(
    '%s has the bounds of the server',
    (path, field) => {
      expect(valueAt(DEFAULT_LIFECYCLE, path)).toBeDefined();
      for (const [value, isGood] of extremes(field))
        expect([value, LifecyclePut.safeParse({ [path]: value }).success]).toEqual([value, isGood]);
    },
  );

  test('there is none that the page leaves out', () => {
    const leaves = (value: unknown, path: string): string[] =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value).flatMap(([name, inner]) => leaves(inner, path === '' ? name : `${path}.${name}`))
        : [path];
    expect(CORRELATION.map(({ path }) => path).sort()).toEqual(leaves(DEFAULT_SETTINGS, '').sort());
  });
});

describe('a draft', () => {
  const settings = settingsWith({ threshold: 0.8 });

  test('is what is wished otherwise than it stands', () => {
    const draft = wished(wished({}, settings, 'threshold', 0.75), settings, 'strategies.service.enabled', false);
    expect(draft).toEqual({ threshold: 0.75, 'strategies.service.enabled': false });
    expect(wished(draft, settings, 'threshold', 0.8)).toEqual({ 'strategies.service.enabled': false });
  });

  test('gives back what is wished as by default', () => {
    expect(patchOf({ threshold: 0.7, 'strategies.topology.hops': 3 }, DEFAULT_SETTINGS)).toEqual({
      threshold: null,
      strategies: { topology: { hops: 3 } },
    });
  });

  test('comes back from the patch of a trial', () => {
    const stand = { effective: settings, defaults: DEFAULT_SETTINGS };
    const draft = { threshold: 0.7, 'strategies.pattern.windowMs': 600_000 };
    expect(draftOf(patchOf(draft, DEFAULT_SETTINGS), stand)).toEqual(draft);
  });

  test('is told in words', () => {
    const draft = { threshold: 0.75, 'strategies.temporal.windowMs': 600_000, 'strategies.service.enabled': false };
    expect(differences(draft, settings, GROUPING).map(({ words, before, after }) => [words, before, after])).toEqual([
      ['Minimum score', '0.8', '0.75'],
      ['Service', 'on', 'off'],
      ['Temporal (time only), within', 'auto', '10 minutes'],
    ]);
  });

  test('knows what somebody else has changed meanwhile', () => {
    const now = settingsWith({ threshold: 0.9, guards: { maxSize: 5 } });
    expect(overtaken({ threshold: 0.75, profile: 'specified' }, settings, now)).toEqual(['threshold']);
  });
});
