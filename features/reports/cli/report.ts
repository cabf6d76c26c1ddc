import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import { CliError, type Client } from '#infra/cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, queryOf, show } from '#infra/cli/client/connection.ts';
import { written } from '#infra/cli/files/written.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';
import { openProgress } from '#infra/cli/terminal/progress.ts';
import type { Screen } from '#infra/cli/terminal/screen.ts';
import { pause } from '#infra/wait.ts';
import { aboutReport } from './find-report.ts';
import {
  parametersFrom,
  type ReportReply,
  type ReportsReply,
  reportsTable,
  reportText,
  type StartedReply,
  type TemplatesReply,
  templatesText,
} from './report-texts.ts';

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
interface ListOptions extends ConnectionOptions {
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
/** A report takes two minutes at most, and some may be made before it. */
const MOST_MS = 15 * 60_000;
const STEPS = ['waiting', 'reading', 'writing'];

/** Looks after a report until it is made, or has failed. */
async function followed(client: Client, screen: Screen | null, id: string): Promise<ReportReply> {
  const progress = screen && openProgress(screen, 'report', STEPS.length);
  let said = 0;
  const step = (to: number): void => {
    if (to > said) progress?.step(to - said);
    said = Math.max(said, to);
  };
  try {
    for (const until = performance.now() + MOST_MS; performance.now() < until; ) {
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
  throw new CliError(`report ${id} is not made yet; look after it with: faultline report status ${id}`);
}

const fetchFile = (client: Client, id: string, file: string): Promise<void> =>
  aboutReport(id, written(client.download(`${pathOf(id)}/download`), file));

const addTemplates = (report: Command, { screen }: CliEnvironment): Command =>
  connected(report.command('templates'))
    .description('list the kinds of reports and what they may be given')
    .action(async (options: ConnectionOptions) =>
      show(screen, options, await clientOf(options).get<TemplatesReply>(`${PATH}/templates`), templatesText),
    );

const addGenerate = (report: Command, { screen }: CliEnvironment): Command =>
  connected(report.command('generate').argument('<template>', 'such as event-summary'))
    .description('have a report made, wait for it and write its file')
    .option('--parameter <name=value>', 'such as date_range=last_30_days; several times for several', collected)
    .addOption(new Option('--format <format>', 'of the file').choices(['pdf', 'html', 'csv', 'json']).default('pdf'))
    .option('--output <file>', 'by default as the report is called')
    .addOption(new Option('--deliver <method>', 'also').choices(['download', 'webhook', 'email']).default('download'))
    .option('--recipient <name>', 'told along; several times for several', collected)
    .option('--shared', 'colleagues see it, too')
    .option('--category <name>', 'by default that of the template')
    .option('--no-wait', 'print its id and end')
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
          () => `Report ${id} is being made; faultline report status ${id} looks after it.`,
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
    .description('how far a report is')
    .action(async (id: string, options: ConnectionOptions) =>
      show(screen, options, await statusOf(clientOf(options), id), reportText),
    );

const addList = (report: Command, { screen }: CliEnvironment): Command =>
  connected(report.command('list'))
    .description('list your reports and those that are shared, newest first')
    .option('--category <name>', 'only these')
    .option('--by <user>', 'only those that this user asked for')
    .option('--shared', 'only those that are shared')
    .option('--limit <n>', 'how many', '20')
    .option('--cursor <cursor>', 'go on where a list ended')
    .action(async (options: ListOptions) => {
      const { category, by, shared, limit, cursor } = options;
      const query = queryOf({ category, created_by: by, shared: shared ? 'true' : undefined, limit, cursor });
      show(screen, options, await clientOf(options).get<ReportsReply>(`${PATH}?${query}`), reportsTable);
    });

const addDownload = (report: Command, { screen }: CliEnvironment): Command =>
  connected(report.command('download').argument('<id>'))
    .description('write the file of a report')
    .option('--output <file>', 'by default as the report is called')
    .action(async (id: string, options: ConnectionOptions & { readonly output?: string }) => {
      const client = clientOf(options);
      const file = options.output ?? basename((await statusOf(client, id)).data.file_name);
      await fetchFile(client, id, file);
      screen.print(options.json ? JSON.stringify({ file }) : `written to ${file}`);
    });

const addDelete = (report: Command, { screen }: CliEnvironment): Command =>
  connected(report.command('delete').argument('<id>'))
    .description('forget a report and its file')
    .action(async (id: string, options: ConnectionOptions) =>
      show(
        screen,
        options,
        await aboutReport(id, clientOf(options).delete<object>(pathOf(id))),
        () => `Report ${id} is deleted.`,
      ),
    );

export const addReport = (program: Command, environment: CliEnvironment): void => {
  const report = program.command('report').description('reports as PDF, HTML, CSV or JSON');
  for (const add of [addTemplates, addGenerate, addStatus, addList, addDownload, addDelete]) add(report, environment);
};
