import type { Command } from 'commander';
import { type ConnectionOptions, clientOf, connected, show } from '#cli/client/connection.ts';
import type { DataReply } from '#cli/client/replies.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import { count, moment, tableOf } from '#cli/terminal/screen.ts';
import type { PipelineView, SinkView } from '#schemas/http/admin/operations.ts';

type PipelineReply = DataReply<typeof PipelineView>;

const lettersText = ({ waiting, at_least }: PipelineReply['data']['dead_letters']): string =>
  waiting === 0 ? 'No dead letters.' : `${at_least ? 'At least ' : ''}${count(waiting)} dead letters queued.`;

type JobView = NonNullable<PipelineReply['data']['jobs']>[number];

const everyText = (seconds: number): string => {
  if (seconds % 3_600 === 0) return `${seconds / 3_600}h`;
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
};

const jobRow = ({ name, every_seconds, outcome, last_run, duration_ms, running_since, next_run, error }: JobView) => [
  name,
  everyText(every_seconds),
  running_since === null ? (outcome ?? '–') : 'running',
  last_run === null ? '–' : moment(last_run),
  duration_ms === null ? '–' : `${count(duration_ms)}ms`,
  moment(next_run),
  error ?? '',
];

const jobsTable = (jobs: readonly JobView[]): string =>
  tableOf(
    [
      'job',
      { title: 'interval', right: true },
      'outcome',
      'last run',
      { title: 'duration', right: true },
      'next run',
      { title: 'problem', width: 40 },
    ],
    jobs.map(jobRow),
  );

type ProcessorView = PipelineReply['data']['processors'][number];

const wrongText = ({
  status,
  detail,
  last_error,
  paused,
}: Pick<ProcessorView, 'status' | 'detail' | 'last_error' | 'paused'>): string => {
  const wrong = detail ?? last_error?.message ?? null;
  const since = paused ? [`paused since ${moment(paused.at)} by ${paused.by.username}`] : [];
  const said = [...(wrong === null ? [] : [wrong]), ...since].join('; ');
  return said === '' && status !== 'running' ? '–' : said;
};

const pipelineTable = ({ data: { processors, dead_letters, jobs = [] } }: PipelineReply): string => {
  const table = tableOf(
    [
      'processor',
      'input',
      'status',
      { title: 'members', right: true },
      { title: 'lag', right: true },
      { title: 'problem', width: 40 },
    ],
    processors.map(({ name, input, status, members, lag, ...rest }) => [
      name,
      input,
      status,
      String(members),
      count(lag),
      wrongText({ status, ...rest }),
    ]),
  );
  const parts = [table, lettersText(dead_letters), ...(jobs.length === 0 ? [] : [jobsTable(jobs)])];
  return parts.join('\n');
};

const addShow = (pipeline: Command, { screen }: CliEnvironment): Command =>
  connected(pipeline.command('show', { isDefault: true }))
    .description('show processors, sinks and jobs with lag and errors')
    .action(async (options: ConnectionOptions) => {
      show(screen, options, await clientOf(options).get<PipelineReply>('/api/admin/pipeline'), pipelineTable);
    });

const pausedText = ({ data: { name, paused } }: DataReply<typeof SinkView>): string =>
  paused === null ? `Resumed ${name}.` : `${name} is paused since ${moment(paused.at)} by ${paused.by.username}.`;

const addVerb = (
  pipeline: Command,
  verb: 'pause' | 'resume',
  description: string,
  { screen }: CliEnvironment,
): Command =>
  connected(pipeline.command(verb).argument('<sink>'))
    .description(description)
    .action(async (sink: string, options: ConnectionOptions) => {
      const path = `/api/admin/pipeline/${encodeURIComponent(sink)}/${verb}`;
      show(screen, options, await clientOf(options).post<DataReply<typeof SinkView>>(path, {}), pausedText);
    });

export const addPipeline = (program: Command, environment: CliEnvironment): Command => {
  const pipeline = program.command('pipeline').description('inspect processors, sinks and jobs');
  addShow(pipeline, environment);
  addVerb(pipeline, 'pause', 'pause a sink', environment);
  addVerb(pipeline, 'resume', 'resume a sink', environment);
  return pipeline;
};
