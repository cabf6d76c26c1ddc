import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import { CliError, type Client } from '#cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, queryOf, show } from '#cli/client/connection.ts';
import type { DataReply, PageReply, ReplyOf } from '#cli/client/replies.ts';
import { listText } from '#cli/commands/lists.ts';
import { written } from '#cli/files/written.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import { openProgress } from '#cli/terminal/progress.ts';
import { clip, moment, type Screen } from '#cli/terminal/screen.ts';
import type { ListedReport, ReportStarted, ReportView, TemplateView } from '#features/reports/schemas/reports.ts';
import { pause } from '#infra/wait.ts';

type ReportReply = DataReply<typeof ReportView>;
type StartedReply = DataReply<typeof ReportStarted>;
type ReportsReply = PageReply<typeof ListedReport>;
type TemplateReply = ReplyOf<typeof TemplateView>;
interface TemplatesReply {
  readonly data: readonly TemplateReply[];
}

const THOUSAND = 1_000;
const sizeOf = (bytes: number | null): string => {
  if (bytes === null) return '–';
  return bytes < THOUSAND * THOUSAND
    ? `${Math.ceil(bytes / THOUSAND)} kB`
    : `${(bytes / THOUSAND / THOUSAND).toFixed(1)} MB`;
};

const parameterText = ({ name, values, default: usual, example }: TemplateReply['parameters'][number]): string => {
  const said = values === null ? `such as ${JSON.stringify(example)}` : values.join(', ');
  return `    ${name}: ${said}${usual === null ? '' : ` (default: ${usual})`}`;
};

const templatesText = ({ data }: TemplatesReply): string =>
  data
    .map(({ template_id, description, parameters }) =>
      [template_id, `  ${description}`, ...parameters.map(parameterText)].join('\n'),
    )
    .join('\n\n');

const reportsTable = listText<ReportsReply['data'][number]>({
  name: 'reports',
  columns: ['id', 'template', 'format', 'status', 'by', 'requested (UTC)', 'events'],
  row: (one) => [
    one.report_id,
    one.template_id,
    one.format,
    one.status,
    clip(one.created_by.name, 24),
    moment(one.created_at),
    sizeOf(one.size_bytes),
  ],
});

const reportText = ({ data }: ReportReply): string => {
  const { report_id, template_id, format, status, step, error, size_bytes, expires_at, delivery } = data;
  const head = `Report ${report_id} (${template_id}, ${format})`;
  if (status === 'failed') return `${head} failed: ${error}`;
  if (status !== 'completed') return `${head} is being generated: ${step}.`;
  const told =
    delivery.method === 'download' ? '' : ` Delivery by ${delivery.method}: ${delivery.state.replaceAll('_', ' ')}.`;
  return `${head} is complete: ${sizeOf(size_bytes)}, kept until ${moment(expires_at)}.${told}`;
};

/** `date_range=last_30_days`, `ci_type=server,database`, `date_range={"from":"2026-11-01"}`. */
const parametersFrom = (given: readonly string[] = []): Record<string, unknown> =>
  Object.fromEntries(
    given.map((text) => {
      const at = text.indexOf('=');
      if (at < 1)
        throw new CliError(`--parameter ${text}: expected a name and a value, such as date_range=last_30_days`);
      return [text.slice(0, at).trim(), parameterValue(text.slice(at + 1).trim(), text)];
    }),
  );

function parameterValue(said: string, whole: string): unknown {
  if (!said.startsWith('{') && !said.startsWith('[')) return said.includes(',') ? said.split(',') : said;
  try {
    return JSON.parse(said);
  } catch {
    throw new CliError(`--parameter ${whole}: invalid JSON value`);
  }
}

/** Explains error 404 of a request about one report. */
async function aboutReport<T>(id: string, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof CliError) || error.status !== 404) throw error;
    throw new CliError(
      `Report ${id} not found: deleted, expired after 7 days, or not shared with you — see: faultline report list`,
      error.status,
    );
  }
}

interface GenerateOptions extends ConnectionOptions {
  readonly parameter?: string[];
  readonly format: string;
  readonly output?: string;
  readonly deliver: string;
  readonly recipient?: string[];
  readonly shared?: boolean;
  readonly category?: string;
  readonly wait: boolean;
}
interface ReportListOptions extends ConnectionOptions {
  readonly category?: string;
  readonly by?: string;
  readonly shared?: boolean;
  readonly limit: string;
  readonly cursor?: string;
}

const PATH = '/api/reports';
const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;
const statusOf = (client: Client, id: string): Promise<ReportReply> =>
  aboutReport(id, client.get<ReportReply>(`${pathOf(id)}/status`));
const collected = (value: string, before: string[] = []): string[] => [...before, value];

const LOOK_MS = 500;
/** One report requires up to two minutes, and others may be ahead of it. */
const MAX_MS = 15 * 60_000;
const STEPS = ['waiting', 'reading', 'writing'];

/** Polls a report until it is completed or has failed. */
async function followed(client: Client, screen: Screen | null, id: string): Promise<ReportReply> {
  const progress = screen && openProgress(screen, 'report', STEPS.length);
  let said = 0;
  const step = (to: number): void => {
    if (to > said) progress?.step(to - said);
    said = Math.max(said, to);
  };
  try {
    for (const until = performance.now() + MAX_MS; performance.now() < until; ) {
      const reply = await statusOf(client, id);
      if (reply.data.status !== 'generating') {
        step(reply.data.status === 'completed' ? STEPS.length : 0);
        return reply;
      }
      step(STEPS.indexOf(reply.data.step ?? ''));
      await pause(LOOK_MS);
    }
  } finally {
    progress?.done();
  }
  throw new CliError(`report ${id} is still being generated; check with: faultline report status ${id}`);
}

const fetchFile = (client: Client, id: string, file: string): Promise<void> =>
  aboutReport(id, written(client.download(`${pathOf(id)}/download`), file));

const addTemplates = (report: Command, { screen }: CliEnvironment): Command =>
  connected(report.command('templates'))
    .description('list report templates and parameters')
    .action(async (options: ConnectionOptions) =>
      show(screen, options, await clientOf(options).get<TemplatesReply>(`${PATH}/templates`), templatesText),
    );

const addGenerate = (report: Command, { screen }: CliEnvironment): Command =>
  connected(report.command('generate').argument('<template>', 'template, for example event-summary'))
    .description('generate a report and save the file')
    .option('--parameter <name=value>', 'parameter, for example date_range=last_30_days (repeatable)', collected)
    .addOption(
      new Option('--format <format>', 'file format').choices(['pdf', 'html', 'csv', 'json', 'md']).default('pdf'),
    )
    .option('--output <file>', 'output file; default: report name')
    .addOption(
      new Option('--deliver <method>', 'delivery method').choices(['download', 'webhook', 'email']).default('download'),
    )
    .option('--recipient <name>', 'recipient (repeatable)', collected)
    .option('--shared', 'share with the tenant')
    .option('--category <name>', 'category; default: from the template')
    .option('--no-wait', 'print the report ID and exit')
    .action(async (template: string, options: GenerateOptions) => {
      const { format, deliver, recipient, shared, category, output, wait } = options;
      const client = clientOf(options);
      const started = await client.post<StartedReply>(`${PATH}/generate`, {
        template_id: template,
        parameters: parametersFrom(options.parameter),
        format,
        delivery: { method: deliver, recipients: recipient ?? [] },
        ...(shared && { shared }),
        ...(category && { category }),
      });
      const id = started.data.report_id;
      if (!wait) {
        show(
          screen,
          options,
          started,
          () => `Report ${id} is being generated; check with: faultline report status ${id}`,
        );
        return;
      }
      const reply = await followed(client, options.json ? null : screen, id);
      if (reply.data.status === 'failed') throw new CliError(reportText(reply));
      const file = output ?? basename(reply.data.file_name);
      await fetchFile(client, id, file);
      show(screen, options, reply, () => `${reportText(reply)}\nwritten to ${file}`);
    });

const addStatus = (report: Command, { screen }: CliEnvironment): Command =>
  connected(report.command('status').argument('<id>'))
    .description('show report status')
    .action(async (id: string, options: ConnectionOptions) =>
      show(screen, options, await statusOf(clientOf(options), id), reportText),
    );

const addList = (report: Command, { screen }: CliEnvironment): Command =>
  connected(report.command('list'))
    .description('list your reports and shared reports, newest first')
    .option('--category <name>', 'only this category')
    .option('--by <user>', 'only reports requested by this user')
    .option('--shared', 'only shared reports')
    .option('--limit <n>', 'maximum number of results', '20')
    .option('--cursor <cursor>', 'cursor of the next page')
    .action(async (options: ReportListOptions) => {
      const { category, by, shared, limit, cursor } = options;
      const query = queryOf({ category, created_by: by, shared: shared ? 'true' : undefined, limit, cursor });
      show(screen, options, await clientOf(options).get<ReportsReply>(`${PATH}?${query}`), reportsTable);
    });

const addDownload = (report: Command, { screen }: CliEnvironment): Command =>
  connected(report.command('download').argument('<id>'))
    .description('download a report')
    .option('--output <file>', 'output file; default: report name')
    .action(async (id: string, options: ConnectionOptions & { readonly output?: string }) => {
      const client = clientOf(options);
      const file = options.output ?? basename((await statusOf(client, id)).data.file_name);
      await fetchFile(client, id, file);
      screen.print(options.json ? JSON.stringify({ file }) : `written to ${file}`);
    });

const addDelete = (report: Command, { screen }: CliEnvironment): Command =>
  connected(report.command('delete').argument('<id>'))
    .description('delete a report')
    .action(async (id: string, options: ConnectionOptions) =>
      show(
        screen,
        options,
        await aboutReport(id, clientOf(options).delete<object>(pathOf(id))),
        () => `Deleted report ${id}.`,
      ),
    );

export const addReport = (program: Command, environment: CliEnvironment): void => {
  const report = program.command('report').description('generate and download reports (PDF, HTML, CSV or JSON)');
  for (const add of [addTemplates, addGenerate, addStatus, addList, addDownload, addDelete]) add(report, environment);
};
