import { Argument, type Command } from 'commander';
import { type ConnectionOptions, clientOf, connected } from '#infra/cli/client/connection.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';
import { candidatesOf } from './candidates.ts';
import { SCRIPTS, SHELLS, type Shell } from './scripts.ts';
import { serverNames } from './server-names.ts';

/** Nobody waits longer for a list after Tab. */
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
    .description('for the scripts of: faultline completion')
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
    .addArgument(new Argument('<shell>', 'for which shell').choices(SHELLS))
    .description('print a script that completes commands, options and names: source <(faultline completion bash)')
    .action((shell: Shell) => environment.screen.print(SCRIPTS[shell]));
};
