import type { ListedReport, ReportStarted, ReportView, TemplateView } from '#features/reports/schemas/reports.ts';
import { CliError } from '#infra/cli/client/client.ts';
import type { DataReply, PageReply, ReplyOf } from '#infra/cli/client/replies.ts';
import { clip, moment, tableOf } from '#infra/cli/terminal/screen.ts';

export type ReportReply = DataReply<typeof ReportView>;
export type StartedReply = DataReply<typeof ReportStarted>;
export type ReportsReply = PageReply<typeof ListedReport>;
type TemplateReply = ReplyOf<typeof TemplateView>;
export interface TemplatesReply {
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
  return `    ${name}: ${said}${usual === null ? '' : ` (${usual} when absent)`}`;
};

export const templatesText = ({ data }: TemplatesReply): string =>
  data
    .map(({ template_id, description, parameters }) =>
      [template_id, `  ${description}`, ...parameters.map(parameterText)].join('\n'),
    )
    .join('\n\n');

export const reportsTable = ({ data, pagination }: ReportsReply): string => {
  if (data.length === 0) return 'No reports.';
  const titles = ['id', 'template', 'format', 'status', 'by', 'asked for (UTC)', 'size'];
  const rows = data.map((one) => [
    one.report_id,
    one.template_id,
    one.format,
    one.status,
    clip(one.created_by.name, 24),
    moment(one.created_at),
    sizeOf(one.size_bytes),
  ]);
  const more = pagination.nextCursor ? `; go on with --cursor ${pagination.nextCursor}` : '';
  return `${tableOf(
    titles.map((title) => ({ title })),
    rows,
  )}\n${data.length} of ${pagination.total} reports${more}`;
};

export const reportText = ({ data }: ReportReply): string => {
  const { report_id, template_id, format, status, step, error, size_bytes, expires_at, delivery } = data;
  const head = `Report ${report_id} (${template_id}, ${format})`;
  if (status === 'failed') return `${head} has failed: ${error}`;
  if (status !== 'completed') return `${head} is being made: ${step}.`;
  const told =
    delivery.method === 'download' ? '' : ` Delivery by ${delivery.method}: ${delivery.state.replaceAll('_', ' ')}.`;
  return `${head} is completed: ${sizeOf(size_bytes)}, kept until ${moment(expires_at)}.${told}`;
};

/** `date_range=last_30_days`, `ci_type=server,database`, `date_range={"from":"2026-11-01"}`. */
export const parametersFrom = (given: readonly string[] = []): Record<string, unknown> =>
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
    throw new CliError(`--parameter ${whole}: the value begins like JSON and is none`);
  }
}
