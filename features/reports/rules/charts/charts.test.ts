import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { reportWith } from '#features/reports/rules/document/samples-for-tests.ts';
import { clockIn } from '#features/reports/rules/values/values.ts';
import { isUpdate } from '#test/setup/is-update.ts';
import { type Chart, isEmptyChart } from './chart.ts';
import { drawChart } from './draw-chart.ts';
import { SERIES, SINGLE } from './palette.ts';
import { scaleTo } from './scale.ts';
import { WIDTH } from './svg.ts';
import { textWidth, wrapped } from './text-width.ts';

const clock = clockIn('UTC');
const charts = reportWith(0).sections.flatMap((section) => section.charts);

test.each(charts.filter((chart) => !isEmptyChart(chart)))('$kind say what their golden file says', (chart) => {
  const golden = new URL(`./${chart.kind}.golden.svg`, import.meta.url);
  const drawn = `${drawChart(chart, clock)}\n`;
  if (isUpdate()) writeFileSync(golden, drawn);
  expect(drawn).toBe(readFileSync(golden, 'utf8'));
});

test('a chart of zeros, or of nothing, is empty', () => {
  expect(charts.map(isEmptyChart)).toEqual([false, true, false]);
  expect(isEmptyChart({ ...(charts[2] as Extract<Chart, { kind: 'bars' }>), items: [] })).toBe(true);
});

describe('an axis', () => {
  test.each([
    [0, 'count', [0]],
    [1, 'count', [0, 1]],
    [3, 'count', [0, 1, 2, 3]],
    [69, 'count', [0, 20, 40, 60, 80]],
    [1_000_000, 'count', [0, 200_000, 400_000, 600_000, 800_000, 1_000_000]],
    [0.37, 'share', [0, 0.1, 0.2, 0.3, 0.4]],
    [90_000, 'duration', [0, 30_000, 60_000, 90_000]],
    [26 * 3_600_000, 'duration', [0, 6, 12, 18, 24, 30].map((h) => h * 3_600_000)],
  ] as const)('to %d of kind %s', (most, kind, ticks) => {
    const scale = scaleTo(most, kind);
    expect(scale.ticks.map((tick) => Number(tick.toFixed(9)))).toEqual(ticks);
    expect(scale.top).toBeGreaterThanOrEqual(most);
  });

  test('has at most seven marks and reaches what is drawn', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-6, max: 1e15, noNaN: true }),
        fc.constantFrom('count', 'decimal', 'duration'),
        (most, kind) => {
          const { top, ticks } = scaleTo(most, kind as 'count');
          expect(top).toBeGreaterThanOrEqual(most * (1 - 1e-9));
          expect(ticks.length).toBeLessThanOrEqual(7);
        },
      ),
    );
  });
});

const channel = (hex: string): number => {
  const share = Number.parseInt(hex, 16) / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};
/** As WCAG reckons it: 0 is black, 1 is white. */
const luminance = (colour: string): number => {
  const [r = '', g = '', b = ''] = colour.slice(1).match(/../g) ?? [];
  return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
};
const contrast = (one: string, other: string): number => {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
};

test('neighbouring parts are told apart in grey, and single bars from paper', () => {
  for (const [n, colour] of SERIES.slice(1).entries()) expect(contrast(SERIES[n]!, colour)).toBeGreaterThan(1.5);
  expect(SERIES.map(luminance)).toEqual([...SERIES].map(luminance).sort((a, b) => a - b));
  expect(contrast(SINGLE, '#ffffff')).toBeGreaterThan(4.5);
});

describe('names', () => {
  test.each([
    ['short', ['short']],
    ['one two three four five six', ['one two three four five', 'six']],
    ['db-1.internal.example.com', ['db-1.internal.example.', 'com']],
    ['x'.repeat(60), ['x'.repeat(20), `${'x'.repeat(19)}…`]],
    ['', []],
  ])('%j in two lines', (name, lines) => expect(wrapped(name, 110, 9, 2)).toEqual(lines));

  test('of any text no line is wider than asked, and nothing is lost but at the end', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), (name) => {
        const lines = wrapped(name, 100, 9, 3);
        for (const line of lines) expect(textWidth(line, 9)).toBeLessThanOrEqual(100);
        expect(lines.length).toBeLessThanOrEqual(3);
      }),
    );
  });
});

test('nothing is drawn outside of the picture, whatever the numbers and names are', () => {
  const label = fc.string({ unit: 'grapheme', maxLength: 80 });
  const value = fc.oneof(fc.nat(5), fc.nat(1e9));
  const bars = fc.record({
    kind: fc.constant('bars' as const),
    items: fc.array(fc.record({ label, value }), { minLength: 1, maxLength: 12 }),
  });
  const columns = fc.record({
    kind: fc.constant('columns' as const),
    axis: label,
    series: fc.constant(['a', 'b']),
    points: fc.array(fc.record({ label, values: fc.tuple(value, value) }), { minLength: 1, maxLength: 60 }),
  });
  const common = { title: 't', measure: 'm', valueKind: 'count', empty: 'e' } as const;
  fc.assert(
    fc.property(fc.oneof(bars, columns), (given) => {
      const chart = { ...given, ...common } as Chart;
      if (isEmptyChart(chart)) return;
      const svg = drawChart(chart, clock);
      const [, height] = /height="([\d.]+)"/.exec(svg)!;
      for (const [, x, y, w, h] of svg.matchAll(
        /<rect x="([-\d.]+)" y="([-\d.]+)" width="([-\d.]+)" height="([-\d.]+)"/g,
      )) {
        expect(Number(x) + Number(w)).toBeLessThanOrEqual(WIDTH + 0.2);
        expect(Number(y) + Number(h)).toBeLessThanOrEqual(Number(height));
        expect(Math.min(Number(x), Number(y), Number(w), Number(h))).toBeGreaterThanOrEqual(0);
      }
      for (const [, x, y] of svg.matchAll(/<text x="([-\d.]+)" y="([-\d.]+)"/g)) {
        expect(Number(x)).toBeLessThanOrEqual(WIDTH);
        expect(Math.min(Number(x), Number(y))).toBeGreaterThanOrEqual(0);
      }
    }),
    { numRuns: 50 },
  );
});
