type Write = (fields: Readonly<Record<string, unknown>>, message: string) => void;

/** Structured log; a pino logger is one. Callers remove secrets before they write. */
export interface Log {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
}
