import { Late } from './late.tsx';
import classes from './states.module.css';

interface Props {
  readonly rows?: number;
  /** Height of a row, px: that of what will stand there. */
  readonly height?: number;
}

/** Grey bars of the size of what is read. */
export function Skeleton({ rows = 6, height = 32 }: Props) {
  return (
    <div className={classes.skeleton} role="status" aria-label="Loading" style={{ minHeight: rows * height }}>
      <Late>
        {Array.from({ length: rows }, (_, row) => row).map((row) => (
          <div key={row} className={classes.bar} style={{ height: height - 12, width: `${92 - ((row * 17) % 40)}%` }} />
        ))}
      </Late>
    </div>
  );
}
