import { start } from '#app';
import { readConfig } from '#infra/config.ts';
import { VERSION } from '#infra/version.ts';
import { openClient } from './client/client.ts';
import { openOwnServer } from './own-server.ts';
import { programFor } from './program.ts';
import { fail, serve, stopOnSignal } from './serve.ts';
import type { CliEnvironment } from './terminal/environment.ts';
import { processScreen } from './terminal/screen.ts';

const embeddedData = (): string => {
  const { mode, data } = readConfig();
  const advice = 'Backups of distributed mode are made with the tools of its engines (docs/operations.md).';
  if (mode === 'distributed') throw new Error(advice);
  if (data === ':memory:') throw new Error('FAULTLINE_DATA is :memory:, which has no files.');
  return data;
};

const environment: CliEnvironment = {
  screen: processScreen,
  timeAt: (url) => openClient({ url }).now(),
  serve: () => serve(start),
  rebuildGroups: async () => {
    const { rebuildGroups } = await import('#infra/backends/rebuild-groups.ts');
    return rebuildGroups(readConfig());
  },
  backUp: async (output) => (await import('#infra/embedded/backup/backup.ts')).backUp(embeddedData(), output),
  restore: async (file, overwrites) =>
    (await import('#infra/embedded/backup/backup.ts')).restore(file, embeddedData(), overwrites),
  openOwnServer: (port) => openOwnServer(start, port),
  stayUntilStopped: (stop) => stopOnSignal(stop, fail),
};

/** `faultline …` of the command line. */
export const run = (argv: readonly string[]): Promise<unknown> => {
  // A reader that has seen enough, such as `head`, is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) =>
    error.code === 'EPIPE' ? process.exit(0) : fail(error),
  );
  return programFor(environment, VERSION).parseAsync(argv).catch(fail);
};
