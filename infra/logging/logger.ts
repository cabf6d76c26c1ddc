import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import { redaction, withoutSecrets } from './redact.ts';

export interface LoggingOptions {
  readonly level: string;
  /** Lines for people instead of JSON; wanted on a terminal only. */
  readonly pretty: boolean;
  /** Default: standard output. */
  readonly destination?: DestinationStream;
}

interface Shown {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
}

/** An error with its causes; texts that quote a request lose their credentials. */
function shownError(error: unknown): unknown {
  if (!(error instanceof Error)) return withoutSecrets(String(error));
  const { type, message, stack } = stdSerializers.err(error) as Shown;
  return { type, message: withoutSecrets(message), stack: withoutSecrets(stack ?? '') };
}

const serializers = {
  err: shownError,
  url: (url: unknown) => withoutSecrets(String(url)),
  path: (path: unknown) => withoutSecrets(String(path)),
};

const pretty = { target: 'pino-pretty', options: { translateTime: 'SYS:HH:MM:ss.l', ignore: 'pid,hostname' } };

/** The log of the process; secrets never reach it. */
export function openLogger({ level, pretty: forPeople, destination }: LoggingOptions): Logger {
  const options = {
    level,
    serializers,
    redact: redaction,
    ...(forPeople && destination === undefined && { transport: pretty }),
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
