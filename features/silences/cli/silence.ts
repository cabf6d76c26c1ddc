import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { CliError } from '#cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, queryOf, show } from '#cli/client/connection.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import { assertDefined } from '#domain/assert.ts';
import { SEVERITIES } from '#domain/event/event.ts';
import { WEEKDAYS } from '#domain/event/silences/recurrence.ts';
import { SILENCE_STATES } from '#domain/event/silences/silence-rule.ts';
import { parsedMatchers } from '#domain/event/silences/written-labels.ts';
import { foreignSilences } from './foreign-silences.ts';
import {
  endedText,
  importedText,
  type PreviewReply,
  previewText,
  type SilenceReply,
  type SilencesReply,
  silencesTable,
  silenceText,
} from './silence-texts.ts';

interface MatcherOptions {
  readonly source?: string;
  readonly severity?: string;
  readonly host?: string;
  readonly service?: string;
  readonly environment?: string;
  readonly tag?: string;
  readonly title?: string;
  readonly ci?: string;
  readonly ciType?: string;
  readonly below?: string;
  readonly label?: readonly string[];
}
interface RecurrenceOptions {
  readonly days?: string;
  readonly window?: string;
  readonly zone?: string;
}
interface AddOptions extends ConnectionOptions, MatcherOptions, RecurrenceOptions {
  readonly from?: string;
  readonly until?: string;
  readonly for?: string;
  readonly reason?: string;
  readonly preview?: boolean;
}
interface SilenceListOptions extends ConnectionOptions {
  readonly state?: string;
  readonly limit: string;
  readonly cursor?: string;
}

const PATH = '/api/events/silences';
const UNITS: ReadonlyMap<string | undefined, number> = new Map([
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** `30m`, `2h` or `1d` in ms. */
const spanOf = (text: string): number => {
  const [, number, unit] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  const unitMs = UNITS.get(unit);
  if (number === undefined || unitMs === undefined)
    throw new CliError(`--for ${text}: expected a time such as 30m, 2h or 1d`);
  return Number(number) * unitMs;
};

const collected = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

const matcherOf = ({ ci, ciType, severity, ...options }: AddOptions) => {
  const { source, host, service, environment, tag, title, below, label } = options;
  const severities = severity?.split(',').map((word) => word.trim());
  const given = {
    source,
    severity: severities,
    host,
    service,
    environment,
    tag,
    title,
    ciId: ci,
    ciType,
    below,
    labels: label?.flatMap((one) => parsedMatchers(one, '--label')),
  };
  const matcher = Object.fromEntries(Object.entries(given).filter(([, part]) => part !== undefined));
  if (Object.keys(matcher).length === 0)
    throw new CliError(
      'pass a matcher: --host, --source, --severity, --service, --environment, --tag, --label, --title, --ci, --ci-type or --below',
    );
  return matcher;
};

/** Its beginning, when it is not now, and its end; `--for` counts from the beginning, by the clock of the server. */
const timesOf = async ({ timeAt }: CliEnvironment, { from, until, for: lasts, url }: AddOptions) => {
  if ((until === undefined) === (lasts === undefined)) throw new CliError('pass --for or --until');
  const startsAt = from === undefined ? null : { startsAt: from };
  if (lasts === undefined) return { ...startsAt, endsAt: until };
  const start = from === undefined ? await timeAt(assertDefined(url, 'address of the server')) : Date.parse(from);
  if (Number.isNaN(start)) throw new CliError(`--from ${from}: expected a time such as 2026-11-20T22:00:00Z`);
  return { ...startsAt, endsAt: new Date(start + spanOf(lasts)).toISOString() };
};

const ALL_DAYS = WEEKDAYS.join(',');

/** Windows of each day unless days are named. */
const recurrenceOf = ({ days = ALL_DAYS, window, zone }: RecurrenceOptions) => {
  if (window === undefined) {
    if (days !== ALL_DAYS || zone !== undefined) throw new CliError('--days and --zone need --window');
    return {};
  }
  const [, from, to] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(window) ?? [];
  if (from === undefined) throw new CliError(`--window ${window}: expected HH:MM-HH:MM, for example 22:00-06:00`);
  const weekdays = days.split(',').map((day) => day.trim().toLowerCase());
  return { recurrence: { weekdays, from, to, zone: zone ?? 'UTC' } };
};

const add = async (environment: CliEnvironment, options: AddOptions): Promise<void> => {
  const { screen } = environment;
  const matcher = matcherOf(options);
  const client = clientOf(options);
  if (options.preview)
    return show(screen, options, await client.post<PreviewReply>(`${PATH}/preview`, { matcher }), previewText);
  const { reason } = options;
  if (reason === undefined) throw new CliError('pass --reason');
  const body = { matcher, ...(await timesOf(environment, options)), ...recurrenceOf(options), reason };
  show(screen, options, await client.post<SilenceReply>(PATH, body), silenceText);
};

const addAdd = (silence: Command, environment: CliEnvironment): Command =>
  connected(silence.command('add'))
    .description('silence events that match all given options')
    .option('--host <pattern>', 'hostname pattern (* and ?)')
    .option('--source <name>', 'source')
    .option('--severity <list>', `${SEVERITIES.join(', ')}, comma-separated`)
    .option('--service <name>', 'service or application')
    .option('--environment <name>', 'environment, for example test')
    .option('--tag <tag>', 'tag')
    .option('--label <matcher>', 'label matcher, for example team!=web or alertname=~"Disk.*" (repeatable)', collected)
    .option('--title <words>', 'words in the title')
    .option('--ci <id>', 'CI ID')
    .option('--ci-type <type>', 'CI type')
    .option('--below <id>', 'CI and all CIs impacted by it')
    .option('--for <time>', 'duration, for example 30m, 2h or 1d')
    .option('--until <time>', 'end time (ISO 8601)')
    .option('--from <time>', 'start time; default: now')
    .option('--window <HH:MM-HH:MM>', 'only in this window of each day')
    .option('--days <list>', `days on which windows begin: ${ALL_DAYS}; default: all`)
    .option('--zone <name>', 'time zone of the window, for example Europe/Berlin; default: UTC')
    .option('--reason <text>', 'reason')
    .option('--preview', 'preview: count matching events from the last 24h')
    .action((options: AddOptions) => add(environment, options));

const addList = (silence: Command, { screen }: CliEnvironment): Command =>
  connected(silence.command('list'))
    .description('list silences and matched events, newest first')
    .addOption(new Option('--state <state>', 'state of the silences').choices(SILENCE_STATES))
    .option('--limit <n>', 'maximum number of results', '20')
    .option('--cursor <cursor>', 'cursor of the next page')
    .action(async (options: SilenceListOptions) => {
      const { state, limit, cursor } = options;
      const query = queryOf({ state, limit, cursor });
      show(screen, options, await clientOf(options).get<SilencesReply>(`${PATH}?${query}`), silencesTable);
    });

const addEnd = (silence: Command, { screen }: CliEnvironment): Command =>
  connected(silence.command('end').argument('<ids...>', 'silence IDs'))
    .description('end silences; events still firing are reopened')
    .action(async (ids: string[], options: ConnectionOptions) => {
      const client = clientOf(options);
      const ended: SilenceReply[] = [];
      for (const id of new Set(ids)) ended.push(await client.delete<SilenceReply>(`${PATH}/${encodeURIComponent(id)}`));
      show(screen, options, ended, endedText);
    });

interface ImportOptions extends ConnectionOptions {
  readonly for: string;
  readonly dryRun?: boolean;
}

const importFile = async ({ screen, timeAt }: CliEnvironment, file: string, options: ImportOptions): Promise<void> => {
  const now = await timeAt(assertDefined(options.url, 'address of the server'));
  const ends = now + spanOf(options.for);
  const span = { startsAt: new Date(now).toISOString(), endsAt: new Date(ends).toISOString() };
  const found = foreignSilences(await readFile(file, 'utf8'), span);
  if (found === null) throw new CliError(`${file}: expected alertmanager.yml, or a JSON list of silences`);
  const client = clientOf(options);
  const made: SilenceReply[] = [];
  for (const one of found)
    if ('body' in one && !options.dryRun) made.push(await client.post<SilenceReply>(PATH, one.body));
  show(screen, options, { found, made }, importedText);
};

const addImport = (silence: Command, environment: CliEnvironment): Command =>
  connected(silence.command('import').argument('<file>', 'alertmanager.yml, or output of amtool silence query -o json'))
    .description('create silences from mute times or silences of Alertmanager')
    .option('--for <time>', 'duration of silences for mute times', '365d')
    .option('--dry-run', 'show what would be created')
    .action((file: string, options: ImportOptions) => importFile(environment, file, options));

export const addSilence = (program: Command, environment: CliEnvironment): Command => {
  const silence = program.command('silence').description('manage silences');
  addAdd(silence, environment);
  addList(silence, environment);
  addEnd(silence, environment);
  addImport(silence, environment);
  return silence;
};
