import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { CliError } from '#infra/cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, show } from '#infra/cli/client/connection.ts';
import type { TakenReply } from '#infra/cli/client/replies.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';
import { clip, tableOf } from '#infra/cli/terminal/screen.ts';

interface Options extends ConnectionOptions {
  readonly source?: string;
}

interface Posted {
  readonly file: string;
  readonly source: string;
  readonly reply: TakenReply | null;
  /** Why the server refused it; null when it did not. */
  readonly error: string | null;
}

const bodyIn = (file: string): unknown => {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new CliError(`${file} cannot be read`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new CliError(`${file} is not JSON; payload files hold what a monitor posts`);
  }
};

const sourceOf = (file: string, { source }: Options): string => source ?? basename(dirname(resolve(file)));

const rowsOf = ({ file, source, reply, error }: Posted): string[][] => {
  const start = [basename(file), source];
  if (reply === null) return [[...start, '–', 'refused', clip(error ?? '', 160)]];
  const bad = reply.rejected.map(({ index, error: why }) => [...start, '–', 'rejected', `item ${index}: ${why}`]);
  return [...reply.results.map(({ action, status, eventId }) => [...start, action, status, eventId ?? '–']), ...bad];
};

const postedTable = (all: readonly Posted[]): string =>
  tableOf(
    [
      { title: 'file', width: 28 },
      { title: 'source' },
      { title: 'asked' },
      { title: 'became' },
      { title: 'event', width: 32 },
    ],
    all.flatMap(rowsOf),
  );

export const addSend = (program: Command, { screen }: CliEnvironment): Command =>
  connected(program.command('send'))
    .description('post payload files to the webhooks of their monitors')
    .argument('<file...>', 'files with what a monitor posts')
    .option('--source <name>', 'monitoring system; by default the name of the folder of each file')
    .action(async (files: readonly string[], options: Options) => {
      const client = clientOf(options);
      const bodies = files.map((file) => ({ file, source: sourceOf(file, options), body: bodyIn(file) }));
      const posted: Posted[] = [];
      for (const { file, source, body } of bodies) {
        const sending = client.post<TakenReply>(`/api/events/webhook/${encodeURIComponent(source)}`, body);
        posted.push(await sending.then((reply) => ({ file, source, reply, error: null }), refusalOf({ file, source })));
      }
      show(screen, options, posted, postedTable);
      const refused = posted.filter(({ reply }) => reply === null).length;
      if (refused > 0) throw new CliError(`${refused} of ${posted.length} files were refused`);
    });

/** A refusal of one file does not keep the others back; credentials and connections concern all. */
const refusalOf =
  (about: Pick<Posted, 'file' | 'source'>) =>
  (error: unknown): Posted => {
    const aboutFile = error instanceof CliError && error.status !== null && ![401, 403].includes(error.status);
    if (!aboutFile) throw error;
    return { ...about, reply: null, error: error.message };
  };
