import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { Screen } from '#cli/terminal/screen.ts';
import { withoutTrailing } from '#domain/text.ts';
import { forTerminal } from '#domain/texts/unseen.ts';
import { readTokenPlace } from '#infra/config.ts';
import { CliError, type Client, openClient } from './client.ts';
import { tokenOfLogin } from './logins.ts';

const DEFAULT_URL = 'http://127.0.0.1:8080';

export interface ConnectionOptions {
  readonly url?: string;
  readonly token?: string;
  readonly tenant?: string;
  readonly json?: boolean;
}

/** Options of every command that talks to a server. */
export const connected = (command: Command): Command =>
  command
    .addOption(new Option('--url <url>', 'server URL').default(DEFAULT_URL).env('FAULTLINE_URL'))
    .addOption(
      new Option('--token <token>', 'API token; use @FILE or FAULTLINE_TOKEN_FILE to read it from a file').env(
        'FAULTLINE_TOKEN',
      ),
    )
    .option('--tenant <id>', 'tenant (platform administrators only)')
    .option('--json', 'print JSON');

const inFile = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new CliError(`the token file ${file} can't be read`);
  }
};

/** Returns the token itself, or the content of the file after `@`. */
export const tokenOf = (given: string | undefined): string | undefined =>
  given?.startsWith('@') ? inFile(given.slice(1)) : given || undefined;

/** Options of a command outrank the environment. */
const tokenOfAll = (given: string | undefined): string | undefined => {
  const { token, file } = readTokenPlace();
  if (file === undefined || (given || token) !== token) return tokenOf(given);
  if (token !== undefined) throw new CliError('set either FAULTLINE_TOKEN or FAULTLINE_TOKEN_FILE, not both');
  return inFile(file);
};

/** The name of the server in the file of logins. */
export const serverOf = (url?: string): string => withoutTrailing(url || DEFAULT_URL, '/');

/** `timeoutMs` limits each request, which is sent once. */
export const clientOf = ({ url, token, tenant }: ConnectionOptions, timeoutMs?: number): Client =>
  openClient({
    url: url || DEFAULT_URL,
    token: tokenOfAll(token) ?? tokenOfLogin(serverOf(url)),
    tenant,
    ...(timeoutMs !== undefined && { timeoutMs }),
  });

/** Prints JSON for programs, or the text of the reply for users. */
export const show = <T>(screen: Screen, { json }: ConnectionOptions, reply: T, text: (reply: T) => string): void =>
  screen.print(json ? JSON.stringify(reply, null, 2) : forTerminal(text(reply)));

/** Returns the given options; the rest is left to the server. */
export const queryOf = (asked: Readonly<Record<string, string | undefined>>): string =>
  new URLSearchParams(
    Object.entries(asked).filter((entry): entry is [string, string] => entry[1] !== undefined),
  ).toString();
