import { describe, expect, test } from '@jest/globals';
import { contrastOf } from './contrast-for-tests.ts';
import { GROUNDS, MARKS, PAIRS, TEXTS } from './pairs-for-tests.ts';
import { COLOURS, THEMES, variablesOf } from './tokens.ts';

describe('contrast as WCAG 2.2 has it', () => {
  test.each([
    ['#000000', '#ffffff', 21],
    ['#777777', '#ffffff', 4.48],
    ['#ffffff', '#ffffff', 1],
  ])('%s on %s is %d', (one, other, expected) => {
    expect(contrastOf(one, other)).toBeCloseTo(expected, 2);
  });
});

describe.each(THEMES)('theme %s', (theme) => {
  const colours = COLOURS[theme];
  const readable = TEXTS.flatMap((text) => GROUNDS.map((ground) => [text, ground] as const));

  test.each([...readable, ...PAIRS])('text %s on %s has at least 4.5:1', (text, ground) => {
    expect(contrastOf(colours[text], colours[ground])).toBeGreaterThanOrEqual(4.5);
  });

  test.each(MARKS.flatMap((mark) => GROUNDS.map((ground) => [mark, ground] as const)))(
    'mark %s on %s has at least 3:1',
    (mark, ground) => {
      expect(contrastOf(colours[mark], colours[ground])).toBeGreaterThanOrEqual(3);
    },
  );

  test('gives every token a custom property', () => {
    expect(variablesOf(theme)).toMatchObject({ '--fl-ground': colours.ground, '--fl-type-scan': '0.8125rem' });
  });
});
