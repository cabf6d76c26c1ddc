import classes from './quality.module.css';

interface Props {
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

const WIDTH = 140;

/** A share with the range in which it may lie. */
export function IntervalBar({ share, low, high }: Props) {
  return (
    <svg className={classes.interval} viewBox={`0 0 ${WIDTH} 12`} width={WIDTH} height={12} aria-hidden>
      <line x1={0} x2={WIDTH} y1={6} y2={6} className={classes.axis} />
      <line x1={low * WIDTH} x2={high * WIDTH} y1={6} y2={6} className={classes.range} />
      <circle cx={Math.min(WIDTH - 4, Math.max(4, share * WIDTH))} cy={6} r={4} className={classes.dot} />
    </svg>
  );
}
