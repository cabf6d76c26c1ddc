import { Button } from '@mantine/core';
import { Timestamp } from '#console/components/timestamp.tsx';
import compact from '#console/data/compact-table.module.css';
import { Section } from '#console/frame/section.tsx';
import { Notice } from '#console/states/notice.tsx';
import { number } from '#console/text/counts.ts';
import { percent } from '#domain/numbers.ts';
import { isInTime, understood, valueWords } from './answer-text.ts';
import type { ReportDetails } from './api.ts';
import classes from './reports.module.css';
import * as text from './texts.ts';

interface Props {
  readonly values: readonly number[];
  /** Forecast after the values, with its 80% interval. */
  readonly foretold: readonly { readonly value: number; readonly low80: number; readonly high80: number }[];
  readonly label: string;
}

const WIDTH = 640;
const HEIGHT = 120;

/** Column chart over time; forecasts are pale, with their interval as a line. */
function ColumnsChart({ values, foretold, label }: Props) {
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
              <th scope="col">
                {told.interpretation.group_by?.replaceAll('_', ' ').replace(/^ci\b/, text.ci) ?? text.item}
              </th>
              <th scope="col" aria-label={text.bar} />
              <th scope="col" data-end>
                {text.value}
              </th>
              {told.previous === null ? null : (
                <th scope="col" data-end>
                  {text.previous}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {results.map(({ key, label, value, previous }) => (
              <tr key={key}>
                <th scope="row">{isInTime(told) ? <Timestamp at={key} /> : label}</th>
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
      {truncated ? <p className={classes.small}>{text.rowsShown(number(results.length))}</p> : null}
    </>
  );
}

function ForecastNote({ told }: { readonly told: ReportDetails }) {
  const { predictions = [], backtest, no_predictions } = told;
  if (no_predictions) return <p className={classes.small}>{text.noForecast(no_predictions)}</p>;
  const next = predictions[0];
  if (next === undefined) return null;
  return (
    <p className={classes.small}>
      {text.forecastStarting} <Timestamp at={next.at} />
      {backtest ? text.backtest(percent(backtest.coverage80)) : '.'}
    </p>
  );
}

/** Shows how the question was understood, and the counts. */
export function AnswerView({ told, ask }: { readonly told: ReportDetails; readonly ask: (question: string) => void }) {
  const { interpretation, insights, recommendations, results, unit, total } = told;
  if (interpretation.metric === null)
    return (
      <Notice
        title={text.questionNotUnderstood}
        ways={told.examples.map((example) => (
          <Button key={example} variant="default" onClick={() => ask(example)}>
            {example}
          </Button>
        ))}
      >
        {interpretation.not_understood.length > 0 ? text.notRecognized(interpretation.not_understood.join(', ')) : ''}
        {text.tryOne}
      </Notice>
    );
  return (
    <Section flush title={understood(told)}>
      <div className={classes.body}>
        <p className={classes.total}>
          <strong>{valueWords(total, unit)}</strong>
          {interpretation.time_range === null ? (
            <span className={classes.dim}>{text.currentValue}</span>
          ) : (
            <span className={classes.dim}>
              <Timestamp at={interpretation.time_range.from} isDated /> {text.to}{' '}
              <Timestamp at={interpretation.time_range.to} isDated />
            </span>
          )}
        </p>
        {interpretation.not_understood.length === 0 ? null : (
          <p className={classes.caution}>{text.ignoredNotUnderstood(interpretation.not_understood.join(', '))}</p>
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
            label={text.timeBuckets(understood(told), results.length)}
          />
        ) : null}
        <ForecastNote told={told} />
        <Rows told={told} />
        {recommendations.map(({ action, impact }) => (
          <p key={action} className={classes.advice}>
            <strong>{action}</strong> <span className={classes.dim}>{impact}</span>
          </p>
        ))}
        <p className={classes.small}>
          {told.generatedBy === 'model' ? text.interpretedByModel : text.interpretedByRules}
          {text.numbersFromStoredData}
        </p>
      </div>
    </Section>
  );
}
