import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { forTerminal } from '#domain/texts/unseen.ts';
import type { Screen } from '#infra/cli/terminal/screen.ts';
import { readTokenPlace } from '#infra/config.ts';
import { CliError, type Client, openClient } from './client.ts';

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
    .addOption(new Option('--url <url>', 'where the server is').default(DEFAULT_URL).env('FAULTLINE_URL'))
    .addOption(
      new Option('--token <token>', 'API token; @FILE or FAULTLINE_TOKEN_FILE reads it from a file').env(
        'FAULTLINE_TOKEN',
      ),
    )
    .option('--tenant <id>', 'tenant to act on; needed by platform administrators only')
    .option('--json', 'print JSON for programs instead of tables');

const inFile = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new CliError(`the token file ${file} cannot be read`);
  }
};

/** The token itself, or what the file after `@` holds. */
export const tokenOf = (given: string | undefined): string | undefined =>
  given?.startsWith('@') ? inFile(given.slice(1)) : given || undefined;

/** Options of a command outrank the environment. */
const tokenOfAll = (given: string | undefined): string | undefined => {
  const { token, file } = readTokenPlace();
  if (file === undefined || (given || token) !== token) return tokenOf(given);
  if (token !== undefined) throw new CliError('FAULTLINE_TOKEN: given twice, also as FAULTLINE_TOKEN_FILE');
  return inFile(file);
};

/** With `timeoutMs`: of each request, which is tried once. */
export const clientOf = ({ url, token, tenant }: ConnectionOptions, timeoutMs?: number): Client =>
  openClient({
    url: url || DEFAULT_URL,
    token: tokenOfAll(token),
    tenant,
    ...(timeoutMs !== undefined && { timeoutMs }),
  });

/** JSON for programs, or what `text` makes of the reply for people. */
export const show = <T>(screen: Screen, { json }: ConnectionOptions, reply: T, text: (reply: T) => string): void =>
  screen.print(json ? JSON.stringify(reply, null, 2) : forTerminal(text(reply)));

/** Of what was given; the rest is left to the server. */
export const queryOf = (asked: Readonly<Record<string, string | undefined>>): string =>
  new URLSearchParams(
    Object.entries(asked).filter((entry): entry is [string, string] => entry[1] !== undefined),
  ).toString();
