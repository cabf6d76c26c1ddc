import { Argument, type Command, type Option } from 'commander';
import type { Client } from '#cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, queryOf } from '#cli/client/connection.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';

/** Values that only the server knows. */
type CompletedKind = 'events' | 'groups' | 'hosts' | 'cis' | 'tokens' | 'silences';

/** Completions of the current word: fixed words, or names of a kind. */
interface Candidates {
  readonly words: readonly string[];
  readonly names?: CompletedKind;
}

const OPTION_NAMES: Readonly<Record<string, CompletedKind>> = {
  '--host': 'hosts',
  '--group': 'groups',
  '--root': 'events',
  '--ci': 'cis',
  '--below': 'cis',
};
/** Kinds by the command and its parents; the longest match counts. */
const ARGUMENT_NAMES: Readonly<Record<string, CompletedKind>> = {
  event: 'events',
  explain: 'events',
  group: 'groups',
  ci: 'cis',
  token: 'tokens',
  silence: 'silences',
};
/** Arguments that are of another kind than their command, by their own name. */
const NAMED_ARGUMENTS: Readonly<Record<string, CompletedKind>> = { events: 'events' };

const namesOf = (command: Command): readonly string[] => [command.name(), ...command.aliases()];
const isHidden = (command: Command): boolean => command.name().startsWith('__');
const optionNamed = (command: Command, word: string): Option | undefined =>
  command.options.find(({ long, short }) => long === word || short === word);
const takesValue = ({ required, optional }: Option): boolean => required || optional;

interface CompletionPoint {
  readonly command: Command;
  readonly path: readonly string[];
  /** Option whose value is the current word. */
  readonly option: Option | undefined;
  /** Number of preceding arguments of the command. */
  readonly given: number;
}

function placeOf(program: Command, before: readonly string[]): CompletionPoint {
  let [command, path, option, given]: [Command, string[], Option | undefined, number] = [program, [], undefined, 0];
  for (const word of before) {
    if (option !== undefined) option = undefined;
    else if (word.startsWith('-')) {
      const found = optionNamed(command, word);
      option = found && takesValue(found) ? found : undefined;
    } else {
      const next = command.commands.find((one) => namesOf(one).includes(word));
      if (next === undefined) {
        given += 1;
        continue;
      }
      command = next;
      path = [...path, next.name()];
    }
  }
  return { command, path, option, given };
}

/** The words of a line after the name of the program; the last one is not finished, and may be empty. */
function candidatesOf(program: Command, line: readonly string[]): Candidates {
  const last = line.at(-1) ?? '';
  const { command, path, option, given } = placeOf(program, line.slice(0, -1));
  const beginning = (words: readonly string[]): readonly string[] => words.filter((word) => word.startsWith(last));
  if (option !== undefined) {
    const names = OPTION_NAMES[option.long ?? ''];
    return { words: beginning(option.argChoices ?? []), ...(names && { names }) };
  }
  if (last.startsWith('-')) return { words: beginning(command.options.flatMap(({ long }) => long ?? [])) };
  if (command.commands.length > 0)
    return { words: beginning(command.commands.filter((one) => !isHidden(one)).map((one) => one.name())) };
  const { registeredArguments: all } = command;
  const argument = all[Math.min(given, all.length - 1)];
  const names = argument && (NAMED_ARGUMENTS[argument.name()] ?? ARGUMENT_NAMES[path[0] ?? '']);
  return { words: beginning(argument?.argChoices ?? []), ...(names && { names }) };
}

/** Names that are shown. */
const MOST = '50';

// biome-ignore lint/suspicious/noExplicitAny: replies of many shapes, of which one field is read.
type NamesReply = any;
interface NameSource {
  readonly path: (typed: string) => string;
  readonly names: (reply: NamesReply) => readonly string[];
}

const SOURCES: Readonly<Record<CompletedKind, NameSource>> = {
  events: {
    path: () => `/api/events?${queryOf({ view: 'row', status: 'open,acknowledged,suppressed', limit: MOST })}`,
    names: ({ events }) => events.map(({ eventId }: NamesReply) => eventId),
  },
  groups: {
    path: () => `/api/events/groups?${queryOf({ limit: MOST })}`,
    names: ({ groups }) => groups.map(({ correlationId }: NamesReply) => correlationId),
  },
  hosts: {
    path: (typed) => `/api/events/facets?${queryOf({ host: `${typed}*` })}`,
    names: ({ facets }) => facets.host.map(({ value }: NamesReply) => value),
  },
  cis: {
    path: (typed) => `/v1/cmdb/ci?${queryOf({ search: typed === '' ? undefined : typed, limit: MOST })}`,
    names: ({ data }) => data.map(({ name }: NamesReply) => name),
  },
  tokens: {
    path: () => `/api/admin/tokens?${queryOf({ limit: MOST })}`,
    names: ({ data }) => data.map(({ id }: NamesReply) => id),
  },
  silences: {
    path: () => `/api/events/silences?${queryOf({ limit: MOST })}`,
    names: ({ silences }) => silences.map(({ id }: NamesReply) => id),
  },
};

/** Returns names with the typed prefix, regardless of case; none when the server does not answer in time. */
async function serverNames(client: Client, kind: CompletedKind, typed: string): Promise<readonly string[]> {
  const { path, names } = SOURCES[kind];
  try {
    const found = names(await client.get<NamesReply>(path(typed)));
    return found.filter((name) => name.toLowerCase().startsWith(typed.toLowerCase()));
  } catch {
    return [];
  }
}

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** Each hands the words of the line to `faultline __complete`, the last one as far as it is typed. */
const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `_faultline() {
  local IFS=$'\\n'
  COMPREPLY=( $(faultline __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null) )
}
complete -o default -o nosort -F _faultline faultline`,
  zsh: `#compdef faultline
_faultline() {
  local -a found
  found=(\${(f)"$(faultline __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( \${#found} )); then compadd -a found; else _files; fi
}
compdef _faultline faultline`,
  fish: `function __faultline_complete
  set -l before (commandline -opc)
  faultline __complete -- $before[2..-1] "$(commandline -ct)" 2>/dev/null
end
complete -c faultline -a '(__faultline_complete)'`,
};

/** Maximum wait for a list after Tab. */
const TIMEOUT_MS = 1_500;

const CONNECTION = ['url', 'token', 'tenant'] as const;
/** Options about the server outrank the environment. */
function connectionOf(line: readonly string[], options: ConnectionOptions): ConnectionOptions {
  const given = CONNECTION.flatMap((name) => {
    const value = line[line.indexOf(`--${name}`) + 1];
    return line.includes(`--${name}`) && value !== undefined ? [[name, value] as const] : [];
  });
  return { ...options, ...Object.fromEntries(given) };
}

const addComplete = (program: Command, { screen }: CliEnvironment): Command =>
  connected(program.command('__complete [words...]', { hidden: true }))
    .description('used by completion scripts')
    .action(async (line: string[], options: ConnectionOptions) => {
      const { words, names } = candidatesOf(program, line);
      const client = names && clientOf(connectionOf(line.slice(0, -1), options), TIMEOUT_MS);
      const known = client ? await serverNames(client, names, line.at(-1) ?? '') : [];
      const all = [...new Set([...words, ...known])];
      if (all.length > 0) screen.print(all.join('\n'));
    });

export const addCompletion = (program: Command, environment: CliEnvironment): Command => {
  addComplete(program, environment);
  return program
    .command('completion')
    .addArgument(new Argument('<shell>', 'shell').choices(SHELLS))
    .description('print a shell completion script; load it with: source <(faultline completion bash)')
    .action((shell: Shell) => environment.screen.print(SCRIPTS[shell]));
};
