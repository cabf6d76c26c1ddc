import { programFor } from '#cli/program.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import type { OwnTenant } from './of-tests.ts';
import { START, type TestApp, TOKEN } from './test-app.ts';

/** The command line against a server of the tests. */
export interface CommandLine {
  /** Output of the last command. */
  readonly printed: string[];
  readonly environment: CliEnvironment;
  /** Returns the output of a command; rejects when it fails. */
  run(...args: readonly string[]): Promise<string>;
  /** Commands with the address of the server and the tenant's token, as text and as parsed JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: output of many shapes.
  as(tenant: OwnTenant): { run: CommandLine['run']; runJson(...args: readonly string[]): Promise<any> };
}

export const commandLine = (app: TestApp): CommandLine => {
  const printed: string[] = [];
  const environment: CliEnvironment = {
    screen: { print: (text) => printed.push(text), isTerminal: false },
    timeAt: async () => START,
    serve: async () => void printed.push('serving'),
    rebuildGroups: async () => 24,
    backUp: async () => ({ bytes: 2_097_152, events: 1_234 }),
    restore: async () => ({ bytes: 2_097_152, events: 1_234 }),
    openOwnServer: async () => ({ url: app.url, token: TOKEN, stop: async () => void printed.push('stopped') }),
    stayUntilStopped: () => printed.push('staying'),
  };
  const run = async (...args: readonly string[]): Promise<string> => {
    printed.length = 0;
    await programFor(environment, '1.2.3').parseAsync(['node', 'faultline', ...args]);
    return printed.join('\n');
  };
  const as: CommandLine['as'] = (tenant) => {
    const runAs = (...args: readonly string[]) => run(...args, '--url', app.url, '--token', tenant.token);
    return { run: runAs, runJson: async (...args) => JSON.parse(await runAs(...args, '--json')) };
  };
  return { printed, environment, run, as };
};
