import { start } from '#app';
import { ConfigError, readConfig } from '#infra/config.ts';

/** Starts the server of the environment's configuration and stops it on SIGTERM or SIGINT. */
const main = async (): Promise<void> => {
  const app = await start(readConfig(), { pretty: process.stdout.isTTY });
  if (app.adminPassword !== null) {
    console.log(`User "admin" was created with the password ${app.adminPassword} (shown this once).`);
  }
  console.log(`Faultline is ready at ${app.url} (documentation: ${app.url}/docs)`);
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      app.stop().then(
        () => process.exit(0),
        (error: unknown) => fail(error),
      );
    });
  }
};

const fail = (error: unknown): never => {
  console.error(error instanceof ConfigError || error instanceof Error ? error.message : error);
  process.exit(1);
};

main().catch(fail);
