import classes from './reports.module.css';

interface Props {
  readonly values: readonly number[];
  /** At the end of the values: foretold, with the range in which four of five lie. */
  readonly foretold: readonly { readonly value: number; readonly low80: number; readonly high80: number }[];
  readonly label: string;
}

const WIDTH = 640;
const HEIGHT = 120;

/** Columns one after another in time; what is foretold is pale, with its range as a line. */
export function ColumnsChart({ values, foretold, label }: Props) {
  const all = [...values, ...foretold.map(({ value }) => value)];
  const most = Math.max(1, ...values, ...foretold.map(({ high80 }) => high80));
  const step = WIDTH / Math.max(1, all.length);
  const y = (value: number): number => HEIGHT - (value / most) * HEIGHT;
  return (
    <svg className={classes.chart} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {all.map((value, at) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place.
          key={at}
          data-foretold={at >= values.length || undefined}
          x={at * step + step * 0.1}
          width={step * 0.8}
          y={y(value)}
          height={HEIGHT - y(value)}
        />
      ))}
      {foretold.map(({ low80, high80 }, at) => {
        const x = (values.length + at + 0.5) * step;
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place.
        return <line key={at} x1={x} x2={x} y1={y(low80)} y2={y(high80)} />;
      })}
    </svg>
  );
}
