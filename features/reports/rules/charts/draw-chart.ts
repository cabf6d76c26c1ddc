import { type LocalClock, printable, shown } from '#features/reports/rules/values/values.ts';
import type { Bars, Chart } from './chart.ts';
import { drawColumns } from './draw-columns.ts';
import { INK, SINGLE } from './palette.ts';
import { scaleTo } from './scale.ts';
import { box, label, line, picture, WIDTH } from './svg.ts';
import { textWidth, wrapped } from './text-width.ts';

const NAMES = { least: 60, most: 190, gap: 8, lines: 2 } as const;
const SIZE = 9;
const LINE = 11;
const ROW = { least: 18, thickness: 11 } as const;
const BELOW = 30;
const TOP = 4;

interface BarRow {
  readonly lines: readonly string[];
  readonly value: number;
  readonly text: string;
  readonly y: number;
  readonly height: number;
}

const rowsOf = ({ items, valueKind }: Bars, clock: LocalClock): BarRow[] => {
  let y = TOP;
  return items.map(({ label: name, value }) => {
    const lines = wrapped(printable(name), NAMES.most, SIZE, NAMES.lines);
    const height = Math.max(ROW.least, lines.length * LINE + 5);
    const row = { lines, value, text: shown(value, valueKind, clock), y, height };
    y += height;
    return row;
  });
};

const drawRow = ({ lines, value, text, y, height }: BarRow, left: number, width: (value: number) => number): string => {
  const middle = y + height / 2;
  const first = middle - ((lines.length - 1) * LINE) / 2 + SIZE / 3;
  const names = lines.map((name, n) => label({ x: left - NAMES.gap, y: first + n * LINE, text: name, anchor: 'end' }));
  const bar = { x: left, y: middle - ROW.thickness / 2, width: width(value), height: ROW.thickness };
  const drawn = value > 0 ? [box(bar, SINGLE)] : [];
  return [...names, ...drawn, label({ x: left + width(value) + 4, y: middle + SIZE / 3, text })].join('');
};

/** Labels to the left, values after the bars, an axis below. */
const drawBars = (bars: Bars, clock: LocalClock): string => {
  const { title, measure, valueKind, full = 0 } = bars;
  const rows = rowsOf(bars, clock);
  const widest = Math.max(...rows.flatMap(({ lines }) => lines.map((text) => textWidth(text, SIZE))));
  const left = Math.max(NAMES.least, widest + NAMES.gap);
  const scale = scaleTo(Math.max(full, ...rows.map(({ value }) => value)), valueKind);
  const room = WIDTH - left - 8 - Math.max(...rows.map(({ text }) => textWidth(text, SIZE)));
  const width = (value: number): number => (room * value) / scale.top;
  const bottom = rows.reduce((sum, { height }) => sum + height, TOP);
  const marks = scale.ticks.map((tick) => {
    const x = left + width(tick);
    const text = shown(tick, valueKind, clock);
    return (
      line(x, TOP, x, bottom, INK.grid) +
      label({ x, y: bottom + 11, text, size: 8, anchor: 'middle', colour: INK.axis })
    );
  });
  const axis = label({ x: left + room / 2, y: bottom + 24, text: measure, anchor: 'middle', colour: INK.axis });
  const described = `${title}. ${rows.map(({ lines, text }) => `${lines.join(' ')}: ${text}`).join('; ')}`;
  const base = line(left, TOP, left, bottom, INK.axis);
  return picture(bottom + BELOW, described, [...marks, ...rows.map((row) => drawRow(row, left, width)), base, axis]);
};

/** Draws a chart with data as SVG, with axes and units, legible in print and without color. */
export const drawChart = (chart: Chart, clock: LocalClock): string =>
  chart.kind === 'bars' ? drawBars(chart, clock) : drawColumns(chart, clock);
