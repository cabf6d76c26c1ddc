type Write = (fields: Readonly<Record<string, unknown>>, message: string) => void;

/** Structured log; a pino logger is one. Secrets are taken out by whoever writes. */
export interface Log {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
}
