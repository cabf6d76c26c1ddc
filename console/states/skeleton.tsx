import { Late } from './late.tsx';
import classes from './states.module.css';
import * as texts from './texts.ts';

interface Props {
  readonly rows?: number;
  /** Height of a row, px: that of the later content. */
  readonly height?: number;
}

/** Gray bars of the size of the loading content. */
export function Skeleton({ rows = 6, height = 32 }: Props) {
  return (
    <div className={classes.skeleton} role="status" aria-label={texts.loading} style={{ minHeight: rows * height }}>
      <Late>
        {Array.from({ length: rows }, (_, row) => row).map((row) => (
          <div key={row} className={classes.bar} style={{ height: height - 12, width: `${92 - ((row * 17) % 40)}%` }} />
        ))}
      </Late>
    </div>
  );
}
