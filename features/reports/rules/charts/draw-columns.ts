import { firstItem, itemAt, lastItem } from '#domain/assert.ts';
import { type LocalClock, shown } from '#features/reports/rules/values/values.ts';
import type { StackedColumns } from './chart.ts';
import { INK, SERIES, SINGLE } from './palette.ts';
import { scaleTo } from './scale.ts';
import { box, label, line, picture, WIDTH } from './svg.ts';
import { textWidth } from './text-width.ts';

const PLOT = { height: 115, right: 8 } as const;
const SIZE = 9;
const SMALL = 8;
const LEGEND = { height: 18, swatch: 9, gap: 16 } as const;
const BELOW = 32;
/** Share of the available width that a column fills, and its maximum width. */
const COLUMN = { share: 0.72, most: 42 } as const;

const colourOf = ({ series }: StackedColumns, part: number): string =>
  series.length === 1 ? SINGLE : (SERIES[part] ?? lastItem(SERIES));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Names of the parts in one line above the chart. */
const legendOf = (columns: StackedColumns, left: number): string[] => {
  if (columns.series.length < 2) return [];
  let x = left;
  return columns.series.map((name, part) => {
    const drawn = box({ x, y: 4, width: LEGEND.swatch, height: LEGEND.swatch }, colourOf(columns, part));
    const text = label({ x: x + LEGEND.swatch + 4, y: 12, text: name });
    x += LEGEND.swatch + 4 + textWidth(name, SIZE) + LEGEND.gap;
    return drawn + text;
  });
};

/** Draws only every nth label, so that labels do not overlap. */
const stride = ({ points }: StackedColumns, place: number): number => {
  const widest = Math.max(...points.map(({ label: name }) => textWidth(name, SMALL)));
  return Math.max(1, Math.ceil((widest + 8) / place));
};

/** Columns with values to the left, labels below, and a legend for several parts. */
export const drawColumns = (columns: StackedColumns, clock: LocalClock): string => {
  const { title, measure, axis, valueKind, points, series } = columns;
  const scale = scaleTo(Math.max(...points.map(({ values }) => sum(values))), valueKind);
  const marks = scale.ticks.map((tick) => shown(tick, valueKind, clock));
  const left = Math.max(...marks.map((text) => textWidth(text, SMALL))) + 10;
  const top = (series.length < 2 ? 0 : LEGEND.height) + 16;
  const bottom = top + PLOT.height;
  const place = (WIDTH - left - PLOT.right) / points.length;
  const width = Math.min(COLUMN.most, place * COLUMN.share);
  const y = (value: number): number => bottom - (PLOT.height * value) / scale.top;
  const grid = scale.ticks.map(
    (tick, n) =>
      line(left, y(tick), WIDTH - PLOT.right, y(tick), tick === 0 ? INK.axis : INK.grid) +
      label({ x: left - 5, y: y(tick) + 3, text: itemAt(marks, n), size: SMALL, anchor: 'end', colour: INK.axis }),
  );
  const every = stride(columns, place);
  const drawn = points.map(({ label: name, values }, n) => {
    const middle = left + place * (n + 0.5);
    // The most important part is at the bottom, where columns are easiest to compare.
    const parts = values.map((value, part) => {
      if (value <= 0) return '';
      const from = sum(values.slice(0, part));
      const height = y(from) - y(from + value);
      return box({ x: middle - width / 2, y: y(from + value), width, height }, colourOf(columns, part));
    });
    const below = n % every === 0;
    const text = { x: middle, y: bottom + 12, text: name, size: SMALL, anchor: 'middle', colour: INK.axis } as const;
    return parts.join('') + (below ? label(text) : '');
  });
  const named = label({ x: left, y: top - 6, text: measure, colour: INK.axis });
  const axisName = {
    x: left + (WIDTH - left) / 2,
    y: bottom + 26,
    text: axis,
    anchor: 'middle',
    colour: INK.axis,
  } as const;
  const first = firstItem(points).label;
  const described = `${title}. ${measure} by ${axis}, ${first} to ${lastItem(points).label}; the largest is ${shown(Math.max(...points.map(({ values }) => sum(values))), valueKind, clock)}`;
  return picture(bottom + BELOW, described, [...legendOf(columns, left), named, ...grid, ...drawn, label(axisName)]);
};
