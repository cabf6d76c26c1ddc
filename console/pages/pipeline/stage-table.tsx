import { useAttempt } from '#console/actions/use-attempt.ts';
import type { PipelineHistoryShown, Processor } from '#console/api/pipeline.ts';
import { pauseSink, resumeSink } from '#console/api/pipeline.ts';
import { RowButton } from '#console/data/row-button.tsx';
import { type SimpleColumn, SimpleTable } from '#console/data/simple-table.tsx';
import { Age } from '#console/facts/age.tsx';
import { Mark } from '#console/facts/mark/mark.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { number } from '#console/words/counts.ts';
import classes from './pipeline.module.css';
import { msWords, paceOf, rateWords, stageName, statusOf } from './stages.ts';
import { PIPELINE } from './use-pipeline.ts';

interface Props {
  readonly processors: readonly Processor[];
  readonly history: PipelineHistoryShown | undefined;
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
          by {paused.by.name}
          <Age since={paused.at} before=", for " />
        </span>
      )}
      {more === null ? null : <div className={classes.note}>{more}</div>}
      {error === null ? null : (
        <div className={classes.error}>
          {error.message}
          {error.at === null ? null : <Age since={error.at} before=" · " after=" ago" />}
        </div>
      )}
    </>
  );
}

/** The same as the picture, in numbers; sinks can rest here. */
export function StageTable({ processors, history, chosen }: Props) {
  const { call } = useParts();
  // The server lets platform administrators pause; others would be refused.
  const may = useMay('pipeline.manage');
  const mayAll = useMay('tenants.manage');
  const attempt = useAttempt(PIPELINE);
  const pace = (name: string) => paceOf(history, name);
  const columns: readonly SimpleColumn<Processor>[] = [
    { title: 'Stage', isName: true, cell: ({ name }) => <span title={name}>{stageName(name)}</span> },
    { title: 'Status', isWide: true, cell: (stage) => <Status stage={stage} /> },
    { title: 'Waiting', isNumber: true, cell: ({ lag }) => number(lag) },
    { title: 'Read', isNumber: true, cell: ({ name }) => rateWords(pace(name).read) },
    {
      title: 'Passed on',
      isNumber: true,
      cell: ({ name, kind }) => (kind === 'sink' ? '' : rateWords(pace(name).emitted)),
    },
    { title: 'Time per batch', isNumber: true, cell: ({ name }) => msWords(pace(name).batchMs) },
    { title: 'Errors in the hour', isNumber: true, cell: ({ name }) => pace(name).errors ?? '–' },
    { title: 'Processes', isNumber: true, cell: ({ members }) => number(members) },
  ];
  const rest = (stage: Processor) => {
    if (stage.kind !== 'sink' || !may || !mayAll) return null;
    const words = stageName(stage.name);
    return stage.status === 'paused' ? (
      <RowButton
        words="Resume"
        of={words}
        isMain
        onClick={() =>
          attempt(() => resumeSink(call, stage.name), {
            done: `${words} goes on`,
            failed: `${words} could not be resumed`,
          })
        }
      />
    ) : (
      <RowButton
        words="Pause"
        of={words}
        onClick={() =>
          attempt(() => pauseSink(call, stage.name), {
            done: `${words} rests; what it would take waits`,
            failed: `${words} could not be paused`,
          })
        }
      />
    );
  };
  return (
    <SimpleTable
      label="Stages"
      rows={processors}
      idOf={({ name }) => name}
      columns={columns}
      isCurrent={({ name }) => name === chosen}
      {...(may && mayAll && { actions: rest })}
    />
  );
}
