export interface Posting {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** For all of it: the name, the connection, the reply's headers. */
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

/** Why a POST got no reply. */
export interface PostFailure extends Error {
  readonly class: FailureClass;
}

/** HTTP to the outside; redirects are answered as they are, not followed; a time-out always applies. */
export interface Outbound {
  /** Over https only. The caller has checked the host. */
  get(
    url: string,
    options: { readonly timeoutMs: number; readonly maxBytes: number },
  ): Promise<{ status: number; body: string }>;
  /** To public addresses only; the reply's body is thrown away. `ms` until its status was there. Rejects with a PostFailure. */
  post(url: string, posting: Posting): Promise<{ readonly status: number; readonly ms: number }>;
  /** Why `post` will never call this address, as far as the text alone tells; null: it may. */
  refusal(url: string): string | null;
}
