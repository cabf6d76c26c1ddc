interface Series {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

export interface ChartProps {
  /** Epoch seconds. */
  readonly at: readonly number[];
  readonly series: readonly Series[];
  /** Name of the series that stands out; the others are there to compare. */
  readonly strong: string | null;
  /** Behind the numbers of the axis: ` ms`. */
  readonly unit: string;
}
