import classes from './facts.module.css';

interface Bar {
  readonly words: string;
  /** 0 to `most`. */
  readonly value: number;
  readonly note?: string;
  /** The fact behind the number. */
  readonly fact?: string;
}

interface Props {
  readonly bars: readonly Bar[];
  readonly most?: number;
}

/** A few numbers of one kind, to compare. */
export function ScoreBars({ bars, most = 1 }: Props) {
  return (
    <dl className={classes.scores}>
      {bars.map(({ words, value, note, fact = '' }) => (
        <div key={words}>
          <dt>{words}</dt>
          <dd>
            <span className={classes.scoreBar} data-drawn aria-hidden>
              <span style={{ width: `${Math.min(100, Math.round((value / most) * 100))}%` }} />
            </span>
            <span className={classes.scoreNote}>
              {[note ?? value.toFixed(2), fact].filter((one) => one !== '').join(' · ')}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
