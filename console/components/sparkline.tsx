import classes from './facts.module.css';

interface Props {
  readonly values: readonly number[];
  /** The label of the counts, for screen readers. */
  readonly label: string;
}

const WIDTH = 72;
const HEIGHT = 16;

/** A few columns, as high as their counts. */
export function Sparkline({ values, label }: Props) {
  const most = Math.max(1, ...values);
  const step = WIDTH / Math.max(1, values.length);
  return (
    <svg className={classes.spark} width={WIDTH} height={HEIGHT} role="img" aria-label={label}>
      {values.map((value, at) => {
        const height = value === 0 ? 1 : Math.max(2, (value / most) * HEIGHT);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place.
          <rect key={at} x={at * step} y={HEIGHT - height} width={Math.max(1, step - 1)} height={height} />
        );
      })}
    </svg>
  );
}
