interface Series {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

export interface ChartProps {
  /** Epoch seconds. */
  readonly at: readonly number[];
  readonly series: readonly Series[];
  /** Name of the highlighted series; the others are for comparison. */
  readonly strong: string | null;
  /** Unit behind the numbers of the axis: ` ms`. */
  readonly unit: string;
}
