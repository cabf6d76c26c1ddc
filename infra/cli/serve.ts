import { start } from '#app';
import { readConfig } from '#infra/config.ts';

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

/** An error as one line for people; anything unexpected with what there is of it. */
export const fail = (error: unknown): never => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
};

/** Starts the server of the environment's configuration and stops it on SIGTERM or SIGINT. */
export const serve = async (): Promise<void> => {
  const app = await start(readConfig(), { pretty: process.stdout.isTTY });
  if (app.adminPassword !== null) {
    console.log(`User "admin" was created with the password ${app.adminPassword} (shown this once).`);
  }
  console.log(`Faultline is ready at ${app.url} (documentation: ${app.url}/docs)`);
  stopOnSignal(() => app.stop(), fail);
};
