import type { Explained } from '#console/api/group-parts.ts';
import { strategyWords, verdictWords } from '#console/text/explain-text.ts';
import classes from './explained.module.css';
import * as text from './texts.ts';

type Strategy = Explained['strategies'][number];

const percent = (share: number): string => `${Math.round(Math.min(1, share) * 100)}%`;

function Scores({ strategy }: { readonly strategy: Strategy }) {
  const { literalScore, score, threshold } = strategy;
  return (
    <div
      className={classes.pairBars}
      data-drawn
      role="img"
      aria-label={text.rawScoreAdjustedScore(literalScore.toFixed(2), score.toFixed(2), threshold.toFixed(2))}
    >
      <span className={classes.pairLiteral} style={{ width: percent(literalScore) }} />
      <span
        className={classes.pairScore}
        data-joined={strategy.joined || undefined}
        style={{ width: percent(score) }}
      />
      <span className={classes.pairThreshold} style={{ left: percent(threshold) }} />
    </div>
  );
}

/** Explains why two events are, or are not, in one group: the answer, then each strategy with its numbers. */
export function ExplainedPair({
  explained,
  names,
}: {
  readonly explained: Explained;
  readonly names: readonly [string, string];
}) {
  return (
    <section className={classes.pair} aria-label={text.explanation}>
      <p className={classes.pairNames}>
        <strong>{names[0]}</strong> <span className={classes.dim}>{text.and}</span> <strong>{names[1]}</strong>
      </p>
      <p className={classes.answer}>{verdictWords(explained)}</p>
      {explained.learningReason === undefined ? null : <p className={classes.dim}>{explained.learningReason}</p>}
      <ul className={classes.strategies}>
        {explained.strategies.map((strategy) => (
          <li key={strategy.strategy} data-joined={strategy.joined || undefined}>
            <span className={classes.strategyName}>{strategyWords(strategy.strategy)}</span>
            <Scores strategy={strategy} />
            <span className={classes.pairNumbers}>
              {strategy.score.toFixed(2)}{' '}
              <span className={classes.dim}>
                {text.ofWord} {strategy.literalScore.toFixed(2)}
              </span>
            </span>
            <span className={classes.reason}>{strategy.reason}</span>
          </li>
        ))}
      </ul>
      <p className={classes.dim}>{text.topBarRawScore}</p>
    </section>
  );
}
