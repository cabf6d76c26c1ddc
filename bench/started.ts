import { type App, start } from '#app';
import { readConfig } from '#infra/config.ts';
import { TOKEN } from './token.ts';

/** Starts the service in this process on a data directory. */
export const startOn = (directory: string): Promise<App> =>
  start(
    readConfig({
      FAULTLINE_DATA: directory,
      PORT: '0',
      FAULTLINE_BOOTSTRAP_TOKEN: TOKEN,
      FAULTLINE_LIMIT_SCALE: '0',
      FAULTLINE_LOG_LEVEL: 'warn',
    }),
  );
