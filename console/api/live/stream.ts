import { createParser } from 'eventsource-parser';
import { CallProblem } from '#console/api/link/problem.ts';
import { retryAfterMs } from '#console/api/link/retry-after.ts';
import { changesOf, EVERYTHING, type TopicChanges } from './changes.ts';
import * as text from './texts.ts';

/** Messages of one connection, in order. */
export type StreamNews =
  | { readonly kind: 'hello'; readonly version: string; readonly at: string }
  | { readonly kind: 'changes'; readonly changes: TopicChanges }
  | { readonly kind: 'alive' };

interface StreamRequest {
  readonly address: string;
  readonly token: string;
  readonly tenant: string | null;
  /** The id of the last message of an earlier connection. */
  readonly position: string | null;
  readonly signal: AbortSignal;
  readonly fetch: typeof fetch;
  readonly now: () => number;
  readonly tell: (told: StreamNews, position: string | null) => void;
}

/** `refused`: the token is not good, or not good any more. */
export type Ended = 'refused' | 'forbidden' | 'ended';

const helloOf = (data: string): StreamNews => {
  const { version, at } = JSON.parse(data) as { version?: string; at?: string };
  return { kind: 'hello', version: version ?? '', at: at ?? '' };
};

const toldOf = (event: string, data: string): StreamNews | null => {
  if (event === 'hello') return helloOf(data);
  if (event === 'reset') return { kind: 'changes', changes: EVERYTHING };
  return event === 'changes' ? { kind: 'changes', changes: changesOf(data) } : null;
};

const refusal = ({ status, headers }: Response, now: number): CallProblem =>
  new CallProblem(text.streamRequestFailedHttp(status), {
    status,
    retryAfterMs: retryAfterMs(headers.get('retry-after'), now),
  });

/** Reads one connection to its end. Throws when it breaks; `CallProblem` when it was refused. */
export async function readStream({
  address,
  token,
  tenant,
  position,
  signal,
  fetch: send,
  now,
  tell,
}: StreamRequest): Promise<Ended> {
  const response = await send(address, {
    headers: {
      Accept: 'text/event-stream',
      Authorization: `Bearer ${token}`,
      ...(tenant !== null && { 'X-Tenant-ID': tenant }),
      ...(position !== null && { 'Last-Event-ID': position }),
    },
    signal,
    cache: 'no-store',
  });
  if (response.status === 401) return 'refused';
  if (response.status === 403) return 'forbidden';
  if (!response.ok || response.body === null) throw refusal(response, now());
  let reason: Ended = 'ended';
  const parser = createParser({
    onEvent({ event = '', data, id }) {
      if (event === 'bye') reason = data.includes('expired') ? 'refused' : 'ended';
      const told = toldOf(event, data);
      if (told !== null) tell(told, id ?? null);
    },
    onComment: () => tell({ kind: 'alive' }, null),
  });
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return reason;
    parser.feed(decoder.decode(value, { stream: true }));
  }
}
