import type { Command, Option } from 'commander';

/** Values that only the server knows. */
export type CompletedKind = 'events' | 'groups' | 'hosts' | 'cis' | 'tokens' | 'silences';

/** Completions of the last word: words that the program knows, or names of a kind. */
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
/** By the command and those above it; the longest that fits counts. */
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

interface Place {
  readonly command: Command;
  readonly path: readonly string[];
  /** Its value is the last word. */
  readonly option: Option | undefined;
  /** Arguments of the command that stand before. */
  readonly given: number;
}

function placeOf(program: Command, before: readonly string[]): Place {
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
export function candidatesOf(program: Command, line: readonly string[]): Candidates {
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
