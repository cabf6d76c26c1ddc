import { forTerminal } from '#domain/texts/unseen.ts';
import { readConfig } from '#infra/config.ts';
import type { StartServer } from './terminal/environment.ts';

/** npm repeats a signal that the terminal sends to all of its processes, ms. */
const REPEATED_MS = 500;

/** Stops at the first signal, leaves at once at the second. */
export const stopOnSignal = (stop: () => Promise<void>, fail: (error: unknown) => never): void => {
  let stoppingSince: number | null = null;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stoppingSince !== null) {
        if (performance.now() - stoppingSince > REPEATED_MS) process.exit(1);
        return;
      }
      stoppingSince = performance.now();
      stop().then(() => process.exit(0), fail);
    });
  }
};

/** Advice about errors of the operating system at a start. */
const ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'The port is in use. Set PORT to a free port, for example PORT=8081.',
  EADDRNOTAVAIL: 'Set HOST to an address of this host.',
  EACCES: 'Choose a port above 1023, or a FAULTLINE_DATA directory that this user can write.',
  EEXIST: 'FAULTLINE_DATA must be a directory, but a file exists at that path.',
};

/** Prints an error as one line for users, with its remedy; anything unexpected in full. */
export const fail = (error: unknown): never => {
  const { message, code } = error as NodeJS.ErrnoException;
  console.error(forTerminal([message ?? error, ADVICE[code ?? '']].filter((line) => line !== undefined).join('\n')));
  process.exit(1);
};

/** Prints for users. Standard output contains only the log, which collectors parse and store. */
const say = (text: string): void => console.error(text);

/** Starts the server of the environment's configuration and stops it on SIGTERM or SIGINT. */
export const serve = async (start: StartServer): Promise<void> => {
  let firstLink: string | null = null;
  const tellPassword = (password: string, link: string | null): void => {
    say(
      `User "admin" was created with the password ${password} (shown only once). In a terminal: faultline login --user admin`,
    );
    firstLink = link;
  };
  // A stop during the start ends at once. Process 1 of a container would not receive a signal without a listener.
  let stop = async (): Promise<void> => {};
  stopOnSignal(() => stop(), fail);
  const app = await start(readConfig(), { pretty: process.stdout.isTTY, tellPassword });
  stop = async () => {
    say('Faultline is shutting down; finishing accepted requests');
    await app.stop();
    say('Faultline has stopped');
  };
  say(`Faultline is ready at ${app.url} (documentation: ${app.url}/docs)`);
  // Last, where users look.
  if (firstLink !== null) say(`Open the console (this computer only, valid once, 10 minutes):\n\n  ${firstLink}\n`);
  app.tidy();
};
