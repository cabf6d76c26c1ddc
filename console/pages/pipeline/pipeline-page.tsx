import { Fragment, useState } from 'react';
import { useAttempt } from '#console/actions/use-attempt.ts';
import {
  type PipelineData,
  type PipelineHistoryData,
  type Processor,
  pauseSink,
  resumeSink,
} from '#console/api/pipeline.ts';
import { Age } from '#console/components/age.tsx';
import { Chart } from '#console/components/chart/chart.tsx';
import { Icon } from '#console/components/icon.tsx';
import type { MarkKind } from '#console/components/mark/kinds.ts';
import { Mark } from '#console/components/mark/mark.tsx';
import { ExportRows } from '#console/data/csv/export-button.tsx';
import { RowButton } from '#console/data/row-button.tsx';
import { ageColumn, type SimpleColumn, SimpleTable } from '#console/data/simple-table.tsx';
import { Page } from '#console/frame/page.tsx';
import { Section } from '#console/frame/section.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { number } from '#console/text/counts.ts';
import * as nouns from '#console/text/nouns/texts.ts';
import { duration } from '#console/text/times.ts';
import { DeadLetters } from './dead-letters.tsx';
import classes from './pipeline.module.css';
import { columnsOf, msWords, paceOf, pipelineWords, rateWords, stageName, statusOf } from './stages.ts';
import * as text from './texts.ts';
import { PIPELINE, usePipeline } from './use-pipeline.ts';

interface StageTableProps {
  readonly processors: readonly Processor[];
  readonly history: PipelineHistoryData | undefined;
  readonly chosen: string | null;
}

function Status({ stage }: { readonly stage: Processor }) {
  const { kind, words, means } = statusOf(stage);
  const { detail, last_error: error, paused } = stage;
  const more = detail ?? (kind === 'good' ? null : means);
  return (
    <>
      <Mark kind={kind}>{words}</Mark>
      {paused == null ? null : (
        <span className={classes.note}>
          {' '}
          {text.pausedBy(paused.by.name)}
          <Age since={paused.at} before=", " />
        </span>
      )}
      {more === null ? null : <div className={classes.note}>{more}</div>}
      {error === null ? null : (
        <div className={classes.error}>
          {error.message}
          {error.at === null ? null : <Age since={error.at} before=" · " />}
        </div>
      )}
    </>
  );
}

/** The same as the picture, in numbers; sinks can be paused here. */
function StageTable({ processors, history, chosen }: StageTableProps) {
  const { call } = useAppServices();
  // The server lets platform administrators pause; others would be refused.
  const may = useMay('pipeline.manage');
  const mayAll = useMay('tenants.manage');
  const attempt = useAttempt(PIPELINE);
  const pace = (name: string) => paceOf(history, name);
  const columns: readonly SimpleColumn<Processor>[] = [
    {
      title: text.processor,
      isName: true,
      cell: ({ name }) => <span title={name}>{stageName(name)}</span>,
      value: ({ name }) => stageName(name),
    },
    { title: text.status, isWide: true, cell: (stage) => <Status stage={stage} /> },
    { title: text.queued, isNumber: true, cell: ({ lag }) => number(lag) },
    { title: text.inLabel, isNumber: true, cell: ({ name }) => rateWords(pace(name).read) },
    {
      title: text.out,
      isNumber: true,
      cell: ({ name, kind }) => (kind === 'sink' ? '' : rateWords(pace(name).emitted)),
    },
    { title: text.batchTime, isNumber: true, cell: ({ name }) => msWords(pace(name).batchMs) },
    { title: text.errors1h, isNumber: true, cell: ({ name }) => pace(name).errors ?? '–' },
    { title: text.processes, isNumber: true, cell: ({ members }) => number(members) },
  ];
  const rest = (stage: Processor) => {
    if (stage.kind !== 'sink' || !may || !mayAll) return null;
    const words = stageName(stage.name);
    return stage.status === 'paused' ? (
      <RowButton
        words={text.resume}
        of={words}
        isMain
        onClick={() =>
          attempt(() => resumeSink(call, stage.name), { done: text.resumed(words), failed: text.couldntResume(words) })
        }
      />
    ) : (
      <RowButton
        words={text.pause}
        of={words}
        onClick={() =>
          attempt(() => pauseSink(call, stage.name), {
            done: text.pausedRecordsQueued(words),
            failed: text.couldntPause(words),
          })
        }
      />
    );
  };
  return (
    <SimpleTable
      label={text.processors}
      rows={processors}
      idOf={({ name }) => name}
      columns={columns}
      isCurrent={({ name }) => name === chosen}
      {...(may && mayAll && { actions: rest })}
    />
  );
}

interface HourProps {
  readonly history: PipelineHistoryData;
  readonly chosen: string;
}

/** A line needs two points. */
const MIN_STEPS = 2;

/** The last hour of one stage, with the others in gray. */
function Hour({ history, chosen }: HourProps) {
  const { at, stages } = history;
  if (at.length < MIN_STEPS)
    return <Notice title={text.collectingData}>{text.collectingDataHint(history.step_seconds)}</Notice>;
  const seconds = at.map((text) => Date.parse(text) / 1_000);
  const stage = stages.find(({ name }) => name === chosen);
  const pace = paceOf(history, chosen);
  // The highlighted one is drawn last, above the others.
  const order = [...stages.filter(({ name }) => name !== chosen), ...(stage === undefined ? [] : [stage])];
  const knowsRates = pace.read !== null;
  const most = Math.max(0, ...(stage?.lag ?? []).map((lag) => lag ?? 0));
  const lag = stage?.lag.at(-1) ?? 0;
  const common = { at: seconds, strong: chosen };
  return (
    <div className={classes.charts}>
      <Chart
        {...common}
        title={text.queuedRecords}
        unit=""
        said={text.nowPeak(stageName(chosen), number(lag), number(most))}
        series={order.map(({ name, lag: values }) => ({ name, values }))}
      />
      {knowsRates ? (
        <>
          <Chart
            {...common}
            title={text.throughput}
            unit="/s"
            said={text.inLastMinute(stageName(chosen), rateWords(pace.read))}
            series={order.map(({ name, read_per_second: values }) => ({ name, values }))}
          />
          <Chart
            {...common}
            title={text.batchTime}
            unit=" ms"
            said={`${stageName(chosen)}: ${msWords(pace.batchMs)}`}
            series={order.map(({ name, batch_ms: values }) => ({ name, values }))}
          />
        </>
      ) : (
        <p className={classes.note}>{text.ratesNote}</p>
      )}
    </div>
  );
}

interface Props {
  readonly processors: readonly Processor[];
  readonly history: PipelineHistoryData | undefined;
  readonly chosen: string | null;
  readonly choose: (name: string) => void;
}

/** The flow of an event through the stages; selecting one highlights it in the charts. */
function Flow({ processors, history, chosen, choose }: Props) {
  return (
    <div className={classes.flow}>
      {columnsOf(processors).map(({ words, stages }, at) => (
        <Fragment key={words}>
          {at === 0 ? null : (
            <span className={classes.arrow} aria-hidden>
              <Icon name="right" size={14} />
            </span>
          )}
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms. */}
          <div className={classes.step} role="group" aria-label={words}>
            <span className={classes.stepName}>{words}</span>
            {stages.map((stage) => (
              <button
                key={stage.name}
                type="button"
                className={classes.stage}
                aria-pressed={stage.name === chosen}
                data-kind={statusOf(stage).kind}
                title={statusOf(stage).means}
                onClick={() => choose(stage.name)}
              >
                <span className={classes.stageName}>{stageName(stage.name)}</span>
                <span className={classes.stageFacts}>
                  <Mark kind={statusOf(stage).kind}>
                    {stage.lag === 0 ? statusOf(stage).words : text.queuedOf(number(stage.lag))}
                  </Mark>
                  <span>{rateWords(paceOf(history, stage.name).read)}</span>
                </span>
              </button>
            ))}
          </div>
        </Fragment>
      ))}
    </div>
  );
}

type Job = NonNullable<PipelineData['jobs']>[number];

const OUTCOMES: Readonly<Record<NonNullable<Job['outcome']>, { readonly kind: MarkKind; readonly words: string }>> = {
  done: { kind: 'good', words: text.ok },
  failed: { kind: 'bad', words: text.failedLabel },
  late: { kind: 'bad', words: text.timedOut },
  elsewhere: { kind: 'quiet', words: text.runsAnotherProcess },
  paused: { kind: 'quiet', words: text.pausedByClock },
};

function Outcome({ job }: { readonly job: Job }) {
  if (job.outcome === null) return <Mark kind="quiet">{text.notRunYet}</Mark>;
  const { kind, words } = OUTCOMES[job.outcome];
  return (
    <>
      <Mark kind={kind}>{words}</Mark>
      {job.error === null ? null : <div className={classes.error}>{job.error}</div>}
    </>
  );
}

const outcomeWords = ({ outcome, error }: Job): string =>
  [outcome === null ? text.notRunYet : OUTCOMES[outcome].words, error].filter(Boolean).join(': ');

const tookWords = (ms: number | null): string => {
  if (ms === null) return '–';
  return ms < 1_000 ? `${ms} ms` : duration(ms);
};

const COLUMNS: readonly SimpleColumn<Job>[] = [
  { title: text.job, isName: true, cell: ({ name }) => <span title={name}>{stageName(name)}</span> },
  { title: text.lastRun, isWide: true, cell: (job) => <Outcome job={job} />, value: outcomeWords },
  { ...ageColumn<Job>(text.age, ({ last_run: at }) => at), isNumber: true },
  {
    title: text.duration,
    isNumber: true,
    cell: ({ duration_ms: ms }) => tookWords(ms),
    value: ({ duration_ms: ms }) => ms,
  },
  {
    title: text.interval,
    isNumber: true,
    cell: ({ every_seconds: seconds }) => duration(seconds * 1_000),
    value: ({ every_seconds: seconds }) => seconds,
  },
];

const trouble = ({ outcome }: Job): number => (outcome === 'failed' || outcome === 'late' ? 0 : 1);

/** Shows failing jobs first. */
function Jobs({ jobs }: { readonly jobs: readonly Job[] }) {
  const rows = [...jobs].sort((one, other) => trouble(one) - trouble(other));
  return <SimpleTable label={text.jobs} rows={rows} idOf={({ name }) => name} columns={COLUMNS} />;
}

/** The stage that most waits for, else the first. */
const busiest = ({ processors }: PipelineData): string =>
  processors.reduce((most, one) => (one.lag > (most?.lag ?? -1) ? one : most), processors[0])?.name ?? '';

/** Shows the flow of events, from the first fold to notifications. */
export function PipelinePage() {
  const { state, history } = usePipeline();
  const [chosen, setChosen] = useState<string | null>(null);
  const said = state.data === undefined ? null : pipelineWords(state.data.processors);
  return (
    <Page title={text.pipeline} scrolls lead={said === null ? undefined : <Mark kind={said.kind}>{said.words}</Mark>}>
      <Region query={state} what={nouns.pipeline} skeleton={<Skeleton rows={8} height={56} />}>
        {(pipeline) => {
          const stage = chosen ?? busiest(pipeline);
          return (
            <>
              <Section title={text.eventFlow} lead={text.eventFlowLead}>
                <Flow processors={pipeline.processors} history={history.data} chosen={stage} choose={setChosen} />
              </Section>
              <Section title={text.lastHour(stageName(stage))} lead={text.lastHourLead}>
                <Region query={history} what={nouns.processorHistory} skeleton={<Skeleton rows={4} height={48} />}>
                  {(hour) => <Hour history={hour} chosen={stage} />}
                </Region>
              </Section>
              <Section title={text.processors} flush>
                <StageTable processors={pipeline.processors} history={history.data} chosen={stage} />
              </Section>
              <DeadLetters
                stages={pipeline.processors.map(({ name }) => name)}
                waiting={pipeline.dead_letters.waiting}
              />
              {pipeline.jobs === undefined ? null : (
                <Section
                  title={text.jobs}
                  lead={text.jobsLead}
                  flush
                  end={<ExportRows name="jobs" columns={COLUMNS} rows={pipeline.jobs} />}
                >
                  <Jobs jobs={pipeline.jobs} />
                </Section>
              )}
            </>
          );
        }}
      </Region>
    </Page>
  );
}
