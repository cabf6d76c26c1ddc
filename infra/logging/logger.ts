import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';

const CENSORED = '[redacted]';
const SECRET_NAMES = ['authorization', 'cookie', 'set-cookie', 'password', 'token', 'refreshToken', 'secret'];

/** Paths at the top of a record and one or two levels below it. */
const redaction = {
  paths: SECRET_NAMES.flatMap((name) => {
    const key = `["${name}"]`;
    return [key, `*${key}`, `*.*${key}`];
  }),
  censor: CENSORED,
};

const TOKEN_IN_URL = /([?&](?:token|access_token|password)=)[^&\s"'#]+/gi;
const BEARER = /\b(Bearer|Basic)\s+[\w.~+/=-]+/gi;
const API_TOKEN = /\b(fl[tdr]_)\w+/g;

/** Returns a text without possible credentials: `?token=` of a URL, authorization headers, API tokens. */
export const withoutSecrets = (text: string): string =>
  text.replace(TOKEN_IN_URL, `$1${CENSORED}`).replace(BEARER, `$1 ${CENSORED}`).replace(API_TOKEN, `$1${CENSORED}`);

export interface LoggingOptions {
  readonly level: string;
  /** Readable lines instead of JSON; for terminals only. */
  readonly pretty: boolean;
  /** Default: standard output. */
  readonly destination?: DestinationStream;
}

interface ErrorDetails {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
}

/** An error with its causes; texts that quote a request lose their credentials. */
function shownError(error: unknown): unknown {
  if (!(error instanceof Error)) return withoutSecrets(String(error));
  const { type, message, stack } = stdSerializers.err(error) as ErrorDetails;
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
