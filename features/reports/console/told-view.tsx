import { Button } from '@mantine/core';
import compact from '#console/data/compact-table.module.css';
import { When } from '#console/facts/when.tsx';
import { Section } from '#console/frame/section.tsx';
import { Notice } from '#console/states/notice.tsx';
import { number, percent } from '#console/words/counts.ts';
import type { ReportDetails } from './api.ts';
import { ColumnsChart } from './columns-chart.tsx';
import classes from './reports.module.css';
import { isInTime, understood, valueWords } from './told-words.ts';

function Rows({ told }: { readonly told: ReportDetails }) {
  const { results, unit, truncated } = told;
  const most = Math.max(0, ...results.map(({ value }) => value ?? 0));
  if (results.length < 2) return null;
  return (
    <>
      <div className={compact.place}>
        <table className={compact.table}>
          <thead>
            <tr>
              <th scope="col">{told.interpretation.group_by?.replaceAll('_', ' ').replace(/^ci\b/, 'CI') ?? 'What'}</th>
              <th scope="col" aria-label="Bar" />
              <th scope="col" data-end>
                Value
              </th>
              {told.previous === null ? null : (
                <th scope="col" data-end>
                  Before
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {results.map(({ key, label, value, previous }) => (
              <tr key={key}>
                <th scope="row">{isInTime(told) ? <When at={key} /> : label}</th>
                <td className={classes.barCell} aria-hidden>
                  <span
                    className={classes.bar}
                    data-drawn
                    style={{ width: `${most === 0 ? 0 : ((value ?? 0) / most) * 100}%` }}
                  />
                </td>
                <td data-end>{valueWords(value, unit)}</td>
                {told.previous === null ? null : (
                  <td className={classes.dim} data-end>
                    {valueWords(previous ?? null, unit)}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {truncated ? <p className={classes.small}>{number(results.length)} rows are shown; there are more.</p> : null}
    </>
  );
}

function Foretold({ told }: { readonly told: ReportDetails }) {
  const { predictions = [], backtest, no_predictions } = told;
  if (no_predictions) return <p className={classes.small}>Nothing is foretold: {no_predictions}</p>;
  const next = predictions[0];
  if (next === undefined) return null;
  return (
    <p className={classes.small}>
      Foretold from <When at={next.at} /> on
      {backtest
        ? `; of the last week, ${percent(backtest.coverage80)} would have lain in the range that four of five should.`
        : '.'}
    </p>
  );
}

/** The question as it was understood, and the counts. */
export function ToldView({ told, ask }: { readonly told: ReportDetails; readonly ask: (question: string) => void }) {
  const { interpretation, insights, recommendations, results, unit, total } = told;
  if (interpretation.metric === null)
    return (
      <Notice
        title="That was not understood"
        ways={told.examples.map((example) => (
          <Button key={example} variant="default" onClick={() => ask(example)}>
            {example}
          </Button>
        ))}
      >
        {interpretation.not_understood.length > 0 ? `Not known: ${interpretation.not_understood.join(', ')}. ` : ''}
        Questions like these can be answered:
      </Notice>
    );
  return (
    <Section flush title={understood(told)}>
      <div className={classes.body}>
        <p className={classes.total}>
          <strong>{valueWords(total, unit)}</strong>
          {interpretation.time_range === null ? (
            <span className={classes.dim}>as it stands now</span>
          ) : (
            <span className={classes.dim}>
              <When at={interpretation.time_range.from} isDated /> to <When at={interpretation.time_range.to} isDated />
            </span>
          )}
        </p>
        {interpretation.not_understood.length === 0 ? null : (
          <p className={classes.caution}>
            Left out, as it was not understood: {interpretation.not_understood.join(', ')}. The numbers answer the rest.
          </p>
        )}
        {insights.length === 0 ? null : (
          <ul className={classes.insights}>
            {insights.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
        {isInTime(told) && results.length > 1 ? (
          <ColumnsChart
            values={results.map(({ value }) => value ?? 0)}
            foretold={told.predictions ?? []}
            label={`${understood(told)}, ${results.length} columns in order of time`}
          />
        ) : null}
        <Foretold told={told} />
        <Rows told={told} />
        {recommendations.map(({ action, impact }) => (
          <p key={action} className={classes.advice}>
            <strong>{action}</strong> <span className={classes.dim}>{impact}</span>
          </p>
        ))}
        <p className={classes.small}>
          {told.generatedBy === 'model' ? 'A model read the question; ' : 'Rules read the question; '}
          the numbers are counted from what is stored.
        </p>
      </div>
    </Section>
  );
}
