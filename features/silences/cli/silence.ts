import { type Command, Option } from 'commander';
import { SEVERITIES } from '#domain/event/event.ts';
import { SILENCE_STATES } from '#domain/event/silences/silence-rule.ts';
import { known } from '#domain/known.ts';
import { CliError } from '#infra/cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, queryOf, show } from '#infra/cli/client/connection.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';
import {
  endedText,
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
}
interface AddOptions extends ConnectionOptions, MatcherOptions {
  readonly from?: string;
  readonly until?: string;
  readonly for?: string;
  readonly reason?: string;
  readonly preview?: boolean;
}
interface ListOptions extends ConnectionOptions {
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

const matcherOf = ({ ci, ciType, severity, ...options }: AddOptions) => {
  const { source, host, service, environment, tag, title, below } = options;
  const severities = severity?.split(',').map((word) => word.trim());
  const given = { source, severity: severities, host, service, environment, tag, title, ciId: ci, ciType, below };
  const matcher = Object.fromEntries(Object.entries(given).filter(([, part]) => part !== undefined));
  if (Object.keys(matcher).length === 0)
    throw new CliError(
      'say which events: --host, --source, --severity, --service, --environment, --tag, --title, --ci, --ci-type or --below',
    );
  return matcher;
};

/** Its beginning, when it is not now, and its end; `--for` counts from the beginning, by the clock of the server. */
const timesOf = async ({ timeAt }: CliEnvironment, { from, until, for: lasts, url }: AddOptions) => {
  if ((until === undefined) === (lasts === undefined)) throw new CliError('say when it ends: --for or --until');
  const startsAt = from === undefined ? null : { startsAt: from };
  if (lasts === undefined) return { ...startsAt, endsAt: until };
  const start = from === undefined ? await timeAt(known(url, 'address of the server')) : Date.parse(from);
  if (Number.isNaN(start)) throw new CliError(`--from ${from}: expected a time such as 2026-11-20T22:00:00Z`);
  return { ...startsAt, endsAt: new Date(start + spanOf(lasts)).toISOString() };
};

const add = async (environment: CliEnvironment, options: AddOptions): Promise<void> => {
  const { screen } = environment;
  const matcher = matcherOf(options);
  const client = clientOf(options);
  if (options.preview)
    return show(screen, options, await client.post<PreviewReply>(`${PATH}/preview`, { matcher }), previewText);
  const { reason } = options;
  if (reason === undefined) throw new CliError('say why: --reason');
  const body = { matcher, ...(await timesOf(environment, options)), reason };
  show(screen, options, await client.post<SilenceReply>(PATH, body), silenceText);
};

const addAdd = (silence: Command, environment: CliEnvironment): Command =>
  connected(silence.command('add'))
    .description('suppress events for a time: those for which everything holds that is named')
    .option('--host <pattern>', 'host name; * stands for any characters, ? for one')
    .option('--source <name>', 'monitoring system')
    .option('--severity <list>', `${SEVERITIES.join(', ')}, several with commas`)
    .option('--service <name>', 'service or application')
    .option('--environment <name>', 'such as test')
    .option('--tag <tag>', 'one of its tags')
    .option('--title <words>', 'words of its title')
    .option('--ci <id>', 'its configuration item')
    .option('--ci-type <type>', 'type of its configuration item')
    .option('--below <id>', 'a configuration item, with all that its failure reaches')
    .option('--for <time>', 'how long, such as 30m, 2h or 1d')
    .option('--until <time>', 'or until when, such as 2026-11-20T22:00:00Z')
    .option('--from <time>', 'from when on; default: now')
    .option('--reason <text>', 'why, for whoever wonders')
    .option('--preview', 'only count what it would have caught in the last 24 h')
    .action((options: AddOptions) => add(environment, options));

const addList = (silence: Command, { screen }: CliEnvironment): Command =>
  connected(silence.command('list'))
    .description('list silences with what they caught, the newest first')
    .addOption(new Option('--state <state>', 'only those').choices(SILENCE_STATES))
    .option('--limit <n>', 'how many', '20')
    .option('--cursor <cursor>', 'go on where a list ended')
    .action(async (options: ListOptions) => {
      const { state, limit, cursor } = options;
      const query = queryOf({ state, limit, cursor });
      show(screen, options, await clientOf(options).get<SilencesReply>(`${PATH}?${query}`), silencesTable);
    });

const addEnd = (silence: Command, { screen }: CliEnvironment): Command =>
  connected(silence.command('end').argument('<ids...>', 'which'))
    .description('end silences now; what still fires is open again')
    .action(async (ids: string[], options: ConnectionOptions) => {
      const client = clientOf(options);
      const ended: SilenceReply[] = [];
      for (const id of new Set(ids)) ended.push(await client.delete<SilenceReply>(`${PATH}/${encodeURIComponent(id)}`));
      show(screen, options, ended, endedText);
    });

export const addSilence = (program: Command, environment: CliEnvironment): Command => {
  const silence = program.command('silence').description('suppress events for a time');
  addAdd(silence, environment);
  addList(silence, environment);
  addEnd(silence, environment);
  return silence;
};
