import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { CliError, type Client, openClient } from './client.ts';
import type { Screen } from './screen.ts';

export const DEFAULT_URL = 'http://127.0.0.1:8080';

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
      new Option('--token <token>', 'API token; @FILE reads it from a file, so that it stays out of the history').env(
        'FAULTLINE_TOKEN',
      ),
    )
    .option('--tenant <id>', 'tenant to act on; needed by platform administrators only')
    .option('--json', 'print JSON for programs instead of tables');

/** The token itself, or what the file after `@` holds. */
export const tokenOf = (given: string | undefined): string | undefined => {
  if (!given?.startsWith('@')) return given;
  try {
    return readFileSync(given.slice(1), 'utf8').trim();
  } catch {
    throw new CliError(`the token file ${given.slice(1)} cannot be read`);
  }
};

export const clientOf = ({ url = DEFAULT_URL, token, tenant }: ConnectionOptions): Client =>
  openClient({ url, token: tokenOf(token), tenant });

/** JSON for programs, or what `text` makes of the reply for people. */
export const show = <T>(screen: Screen, { json }: ConnectionOptions, reply: T, text: (reply: T) => string): void =>
  screen.print(json ? JSON.stringify(reply, null, 2) : text(reply));
