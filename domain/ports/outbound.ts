export interface Posting {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Timeout for all of it: the name, the connection, the reply's headers. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export type FailureClass =
  | 'refused address'
  | 'unknown host'
  | 'connection refused'
  | 'connection lost'
  | 'tls'
  | 'timeout'
  | 'stopped'
  | 'failed';

/** Reason why a POST got no reply. */
export interface PostFailure extends Error {
  readonly class: FailureClass;
}

export interface Reading {
  /** Default: GET. */
  readonly method?: 'GET' | 'POST' | 'PATCH';
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Limit of the whole request, from the name lookup to the end of the reply. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

export interface Streaming {
  readonly headers: Readonly<Record<string, string>>;
  /** Limit from the name lookup to the reply's headers, and of each pause within the body. */
  readonly timeoutMs: number;
  /** Certificate authorities to trust instead of the system's, PEM. */
  readonly ca?: string;
  readonly signal: AbortSignal;
}

/** `fetch`, as far as libraries of protocols need it. */
export type OutboundFetch = (
  url: string,
  options: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string | URLSearchParams | null;
    readonly signal?: AbortSignal;
  },
) => Promise<Response>;

/** HTTP to the outside; redirects are answered as they are, not followed; a time-out always applies. */
export interface Outbound {
  /** Requests over https only. The caller has checked the host. */
  get(
    url: string,
    options: { readonly timeoutMs: number; readonly maxBytes: number },
  ): Promise<{ status: number; body: string }>;
  /**
   * Posts to public addresses only. `ms` until the status arrived; `answer`: beginning of the text of a refusal. Rejects with a
   * PostFailure.
   */
  post(
    url: string,
    posting: Posting,
  ): Promise<{ readonly status: number; readonly ms: number; readonly answer?: string }>;
  /** Requests the reply's body from public addresses; a larger one is rejected. Rejects with a PostFailure. */
  read(url: string, reading: Reading): Promise<{ readonly status: number; readonly body: string }>;
  /** Variant of `read` that returns the body as it arrives. Errors of the body are PostFailures, too. */
  stream(
    url: string,
    streaming: Streaming,
  ): Promise<{ readonly status: number; readonly body: AsyncIterable<Uint8Array> }>;
  /** Fetches from public addresses only, for libraries. Rejects with a PostFailure. */
  fetch: OutboundFetch;
  /** Returns the reason why `post`, `read` and `stream` will never call this address, judged by the text alone; null: it may. */
  refusal(url: string): string | null;
}

interface Mail {
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
