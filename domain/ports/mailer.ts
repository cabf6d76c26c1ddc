export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends mail through the configured server. */
export interface Mailer {
  /** False: no server is configured. */
  readonly isOn: boolean;
  /** Public URL without a trailing slash; empty: unknown. */
  readonly publicUrl: string;
  /** Rejects if the server is unreachable or refuses the mail. */
  send(mail: Mail): Promise<void>;
}
