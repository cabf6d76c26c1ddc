import { type Command, Option } from 'commander';
import { CliError } from '#cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, queryOf, show, tokenOf } from '#cli/client/connection.ts';
import type { DataReply, PageReply } from '#cli/client/replies.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import { clip, count, moment, tableOf } from '#cli/terminal/screen.ts';
import { SOURCE_FAILURES, SOURCE_KINDS, type SourceFailure } from '#features/topology-sources/rules/source.ts';
import type { SourceBody, SourceRunBody } from '#features/topology-sources/schemas/sources.ts';

type SourcesReply = PageReply<typeof SourceBody>;
type RunReply = DataReply<typeof SourceRunBody>;
type SourceView = SourcesReply['data'][number];

const PATH = '/api/cmdb/sources';
const pathOf = (name: string): string => `${PATH}/${encodeURIComponent(name)}`;

interface AddOptions extends ConnectionOptions {
  readonly kind: string;
  readonly to?: string;
  readonly ca?: string;
  readonly every?: string;
  readonly grace?: string;
  readonly cluster?: string;
  readonly roles?: string;
  readonly bearer?: string;
  readonly user?: string;
  readonly password?: string;
  readonly paused?: boolean;
  readonly dryRun?: boolean;
}

const STEPS: Readonly<Record<SourceFailure, string>> = {
  refused_address: 'Private addresses require FAULTLINE_OUTBOUND_ALLOW on the server',
  unreachable: 'Check the URL, and that the server can reach it',
  refused_credentials: 'Check the credentials and their permissions',
  wrong_url: 'Check the URL',
  server_error: 'Check the source itself',
};
const isKnown = (code: string | null): code is SourceFailure => SOURCE_FAILURES.some((known) => known === code);
const withStep = (message: string, code: string | null): string =>
  isKnown(code) ? `${message}. ${STEPS[code]}` : message;
const asked = <T>(request: Promise<T>): Promise<T> =>
  request.catch((error: unknown) => {
    throw error instanceof CliError && isKnown(error.code)
      ? new CliError(withStep(error.reason, error.code), error.status)
      : error;
  });

const statusOf = ({ paused, held, stale_since, last_run, error, error_code }: SourceView): string => {
  if (paused) return 'Paused';
  if (held !== null) return `Waiting for confirmation: ${count(held.cis)} CIs would be retired`;
  if (stale_since !== null)
    return `Failing since ${moment(stale_since)}: ${withStep(clip(error ?? 'unknown', 160), error_code)}`;
  return last_run === null ? 'Not run yet' : 'Healthy';
};

const sourcesTable = ({ data }: SourcesReply): string =>
  data.length === 0
    ? 'No topology sources yet.'
    : tableOf(
        ['name', 'kind', 'URL', 'CIs', 'last run (UTC)', { title: 'status', width: 50 }],
        data.map((source) => [
          source.name,
          source.kind,
          clip(source.url ?? '–', 40),
          source.counts === null ? '–' : count(source.counts.cis.total),
          source.last_run === null ? '–' : moment(source.last_run),
          statusOf(source),
        ]),
      );

const COLUMNS = ['created', 'updated', 'unchanged', 'ended', 'missing', 'failed'] as const;
const runText = ({ data }: RunReply): string => {
  const { run, errors } = data;
  if (run === null)
    return `Saved source ${data.name}. The first run has started. See its result with: faultline source list`;
  const rows = (['cis', 'relationships'] as const).map((set) => [
    set === 'cis' ? 'CIs' : 'Relationships',
    ...COLUMNS.map((column) => count(run[set][column])),
  ]);
  const table = tableOf([{ title: '' }, ...COLUMNS.map((title) => ({ title, right: true }))], rows);
  const alerts = run.alerts === null ? [] : [`Alerts firing: ${count(run.alerts)}`];
  return [table, ...alerts, ...errors.map((error) => `Failed: ${clip(error, 160)}`), ...heldText(data)].join('\n');
};
const heldText = ({ held, name }: Pick<SourceView, 'held' | 'name'>): string[] =>
  held === null
    ? []
    : [
        `${count(held.cis)} of ${count(held.of_cis)} CIs would be retired. Apply with: faultline source confirm ${name}`,
      ];

const authOf = ({ kind, bearer, user, password }: AddOptions) => {
  if (bearer !== undefined) return { auth: { type: kind === 'netbox' ? 'token' : 'bearer', token: tokenOf(bearer) } };
  if (user === undefined) return {};
  if (password === undefined) throw new CliError('pass --password, or @FILE to read it from a file');
  return { auth: { type: 'basic', username: user, password: tokenOf(password) } };
};

const addAdd = (source: Command, { screen }: CliEnvironment): Command =>
  connected(source.command('add').argument('<name>'))
    .description('create or replace a topology source')
    .addOption(new Option('--kind <kind>', 'kind').choices(SOURCE_KINDS).default('prometheus'))
    .option('--to <url>', 'base URL; omit for the Kubernetes cluster that the server runs in')
    .option('--ca <file>', 'certificate authorities of the Kubernetes API server, PEM')
    .option('--every <time>', 'time between runs, for example 1m')
    .option('--grace <time>', 'time until a missing CI is retired, for example 10m')
    .option('--cluster <name>', 'name of the cluster; for series without a cluster label')
    .option('--roles <slugs>', 'NetBox device roles from upstream to downstream, separated by commas')
    .option('--bearer <token>', 'bearer or NetBox token; @FILE to read it from a file')
    .option('--user <name>', 'username')
    .option('--password <password>', 'password; @FILE to read it from a file')
    .option('--paused', 'save without running')
    .option('--dry-run', 'read the source, store nothing')
    .action(async (name: string, options: AddOptions) => {
      const { kind, to, ca, every, grace, cluster, roles, paused, dryRun } = options;
      const body = {
        kind,
        ...(to && { url: to }),
        ...(ca && { ca: tokenOf(`@${ca}`) }),
        ...authOf(options),
        ...(every && { every }),
        ...(grace && { grace }),
        ...(cluster && { cluster }),
        ...(roles && { roles: roles.split(',').map((role) => role.trim()) }),
        ...(paused && { paused }),
      };
      const path = `${pathOf(name)}${dryRun ? '?dry_run=true' : ''}`;
      show(screen, options, await asked(clientOf(options).put<RunReply>(path, body)), runText);
    });

const addRun = (source: Command, { screen }: CliEnvironment): Command =>
  connected(source.command('run').argument('<name>'))
    .description('run a topology source now')
    .option('--dry-run', 'preview only, write nothing')
    .action(async (name: string, options: ConnectionOptions & { readonly dryRun?: boolean }) => {
      const path = `${pathOf(name)}/run${options.dryRun ? '?dry_run=true' : ''}`;
      show(screen, options, await asked(clientOf(options).post<RunReply>(path, {})), runText);
    });

const addConfirm = (source: Command, { screen }: CliEnvironment): Command =>
  connected(source.command('confirm').argument('<name>'))
    .description('retire what a topology source no longer reports, even if it is more than 30%')
    .action(async (name: string, options: ConnectionOptions) =>
      show(
        screen,
        options,
        await asked(clientOf(options).post<RunReply>(`${pathOf(name)}/confirm`, undefined)),
        runText,
      ),
    );

const addList = (source: Command, { screen }: CliEnvironment): Command =>
  connected(source.command('list'))
    .description('list topology sources and their status')
    .option('--limit <n>', 'maximum number of results', '100')
    .action(async (options: ConnectionOptions & { readonly limit: string }) => {
      const query = queryOf({ limit: options.limit });
      show(screen, options, await clientOf(options).get<SourcesReply>(`${PATH}?${query}`), sourcesTable);
    });

const addRemove = (source: Command, { screen }: CliEnvironment): Command =>
  connected(source.command('remove').argument('<name>'))
    .description('delete a topology source; its CIs are kept')
    .action(async (name: string, options: ConnectionOptions) =>
      show(screen, options, await clientOf(options).delete<object>(pathOf(name)), () => `Deleted source ${name}.`),
    );

export const addSource = (program: Command, environment: CliEnvironment): void => {
  const source = program.command('source').description('manage topology sources');
  for (const add of [addAdd, addRun, addConfirm, addList, addRemove]) add(source, environment);
};
