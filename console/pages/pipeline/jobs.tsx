import type { PipelineShown } from '#console/api/pipeline.ts';
import { type SimpleColumn, SimpleTable } from '#console/data/simple-table.tsx';
import { Age } from '#console/facts/age.tsx';
import type { MarkKind } from '#console/facts/mark/kinds.ts';
import { Mark } from '#console/facts/mark/mark.tsx';
import { plain } from '#console/words/counts.ts';
import { duration } from '#console/words/times.ts';
import classes from './pipeline.module.css';

type Job = NonNullable<PipelineShown['jobs']>[number];

const OUTCOMES: Readonly<Record<NonNullable<Job['outcome']>, { readonly kind: MarkKind; readonly words: string }>> = {
  done: { kind: 'good', words: 'done' },
  failed: { kind: 'bad', words: 'failed' },
  late: { kind: 'bad', words: 'took too long' },
  elsewhere: { kind: 'quiet', words: 'done by another process' },
  paused: { kind: 'quiet', words: 'paused: the system clock was set' },
};

function Outcome({ job }: { readonly job: Job }) {
  if (job.outcome === null) return <Mark kind="quiet">not run yet</Mark>;
  const { kind, words } = OUTCOMES[job.outcome];
  return (
    <>
      <Mark kind={kind}>{words}</Mark>
      {job.error === null ? null : <div className={classes.error}>{job.error}</div>}
    </>
  );
}

const tookWords = (ms: number | null): string => {
  if (ms === null) return '–';
  return ms < 1_000 ? `${ms} ms` : duration(ms);
};

const COLUMNS: readonly SimpleColumn<Job>[] = [
  { title: 'Job', isName: true, cell: ({ name }) => <span title={name}>{plain(name)}</span> },
  { title: 'Last run', isWide: true, cell: (job) => <Outcome job={job} /> },
  { title: 'Ago', isNumber: true, cell: ({ last_run: at }) => (at === null ? '–' : <Age since={at} />) },
  { title: 'Took', isNumber: true, cell: ({ duration_ms: ms }) => tookWords(ms) },
  { title: 'Every', isNumber: true, cell: ({ every_seconds: seconds }) => duration(seconds * 1_000) },
];

const trouble = ({ outcome }: Job): number => (outcome === 'failed' || outcome === 'late' ? 0 : 1);

/** Failing jobs come first. */
export function Jobs({ jobs }: { readonly jobs: readonly Job[] }) {
  const rows = [...jobs].sort((one, other) => trouble(one) - trouble(other));
  return <SimpleTable label="Jobs" rows={rows} idOf={({ name }) => name} columns={COLUMNS} />;
}
