import type { LocalClock } from '#features/reports/rules/values/values.ts';
import type { Chart } from './chart.ts';
import { drawBars } from './draw-bars.ts';
import { drawColumns } from './draw-columns.ts';

/** A picture of a chart that is not empty, as SVG: with axes and units, readable in print and without colours. */
export const drawChart = (chart: Chart, clock: LocalClock): string =>
  chart.kind === 'bars' ? drawBars(chart, clock) : drawColumns(chart, clock);
