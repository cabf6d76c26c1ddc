import type { ValueKind } from '#features/reports/rules/values/value.ts';

interface Common {
  readonly title: string;
  /** The metric, with its unit: `events`, `time to resolve`. */
  readonly measure: string;
  readonly valueKind: ValueKind;
  /** Shown instead of an empty chart. */
  readonly empty: string;
}

/** One bar per item, in the given order. */
export interface Bars extends Common {
  readonly kind: 'bars';
  /** Minimum end of the axis, so that small values look small: 100 for scores. */
  readonly full?: number;
  readonly items: readonly { readonly label: string; readonly value: number }[];
}

/** Columns side by side, each a stack of up to five parts. */
export interface StackedColumns extends Common {
  readonly kind: 'columns';
  /** The unit of the columns: `day`, `age`. */
  readonly axis: string;
  /** Names of the parts, most important first; a single part has no legend. */
  readonly series: readonly string[];
  readonly points: readonly { readonly label: string; readonly values: readonly number[] }[];
}

export type Chart = Bars | StackedColumns;

export const isEmptyChart = (chart: Chart): boolean =>
  chart.kind === 'bars'
    ? chart.items.every(({ value }) => value === 0)
    : chart.points.every(({ values }) => values.every((value) => value === 0));
