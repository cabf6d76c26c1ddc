import { forTerminal } from '#domain/texts/unseen.ts';
import { readConfig } from '#infra/config.ts';
import type { StartServer } from './terminal/environment.ts';

/** Stops at the first signal, leaves at once at the second. */
export const stopOnSignal = (stop: () => Promise<void>, fail: (error: unknown) => never): void => {
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      stop().then(() => process.exit(0), fail);
    });
  }
};

/** Advice about errors of the operating system at a start. */
const ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Set PORT to a free port, for example PORT=8081, or PORT=0 for any.',
  EADDRNOTAVAIL: 'Set HOST to an address of this machine.',
  EACCES: 'Choose a port above 1023, or a FAULTLINE_DATA that this user may write.',
  EEXIST: 'FAULTLINE_DATA must name a folder; there is a file of that name.',
};

/** An error as one line for people, with what to do about it; anything unexpected with what there is of it. */
export const fail = (error: unknown): never => {
  const { message, code } = error as NodeJS.ErrnoException;
  console.error(forTerminal([message ?? error, ADVICE[code ?? '']].filter((line) => line !== undefined).join('\n')));
  process.exit(1);
};

/** For people. Standard output is the log alone, which collectors parse and keep. */
const say = (text: string): void => console.error(text);

/** Starts the server of the environment's configuration and stops it on SIGTERM or SIGINT. */
export const serve = async (start: StartServer): Promise<void> => {
  let firstLink: string | null = null;
  const tellPassword = (password: string, link: string | null): void => {
    say(`User "admin" was created with the password ${password} (shown this once).`);
    firstLink = link;
  };
  // A start is left at once. Process 1 of a container would hear no signal that it does not listen to.
  let stop = async (): Promise<void> => {};
  stopOnSignal(() => stop(), fail);
  const app = await start(readConfig(), { pretty: process.stdout.isTTY, tellPassword });
  stop = async () => {
    say('Faultline is stopping: no new requests, what was accepted is being finished');
    await app.stop();
    say('Faultline has stopped');
  };
  say(`Faultline is ready at ${app.url} (documentation: ${app.url}/docs)`);
  // Last, where people look.
  if (firstLink !== null)
    say(
      `Open the console with this link, on this machine, within 10 minutes; it signs you in once:\n\n  ${firstLink}\n`,
    );
  app.tidy();
};
