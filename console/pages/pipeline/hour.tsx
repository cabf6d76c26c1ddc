import type { PipelineHistoryShown } from '#console/api/pipeline.ts';
import { Chart } from '#console/facts/chart/chart.tsx';
import { Notice } from '#console/states/notice.tsx';
import { number } from '#console/words/counts.ts';
import classes from './pipeline.module.css';
import { msWords, paceOf, rateWords, stageName } from './stages.ts';

interface Props {
  readonly history: PipelineHistoryShown;
  readonly chosen: string;
}

/** A line needs two points. */
const LEAST_STEPS = 2;

/** The last hour of one stage, with the others in grey. */
export function Hour({ history, chosen }: Props) {
  const { at, stages } = history;
  if (at.length < LEAST_STEPS)
    return (
      <Notice title="The process has only just started">
        It remembers how it does every {history.step_seconds} s. The charts begin after two of them.
      </Notice>
    );
  const seconds = at.map((text) => Date.parse(text) / 1_000);
  const stage = stages.find(({ name }) => name === chosen);
  const pace = paceOf(history, chosen);
  // The one that stands out is drawn last, above the others.
  const order = [...stages.filter(({ name }) => name !== chosen), ...(stage === undefined ? [] : [stage])];
  const knowsRates = pace.read !== null;
  const most = Math.max(0, ...(stage?.lag ?? []).map((lag) => lag ?? 0));
  const lag = stage?.lag.at(-1) ?? 0;
  const common = { at: seconds, strong: chosen };
  return (
    <div className={classes.charts}>
      <Chart
        {...common}
        title="Records that wait"
        unit=""
        said={`${stageName(chosen)}: ${number(lag)} now, ${number(most)} at most`}
        series={order.map(({ name, lag: values }) => ({ name, values }))}
      />
      {knowsRates ? (
        <>
          <Chart
            {...common}
            title="Records read"
            unit="/s"
            said={`${stageName(chosen)}: ${rateWords(pace.read)} in the last minute`}
            series={order.map(({ name, read_per_second: values }) => ({ name, values }))}
          />
          <Chart
            {...common}
            title="Time per batch"
            unit=" ms"
            said={`${stageName(chosen)}: ${msWords(pace.batchMs)}`}
            series={order.map(({ name, batch_ms: values }) => ({ name, values }))}
          />
        </>
      ) : (
        <p className={classes.note}>
          Rates and times are of all tenants together, and for platform administrators only.
        </p>
      )}
    </div>
  );
}
