import { setTimeout as after } from 'node:timers/promises';
import type { Presented, Raw } from '#api/surfaces/endpoint.ts';

/** Server-sent events (HTML standard, 9.2). */
export const EVENT_STREAM = 'text/event-stream';

export interface StreamMessage {
  /** The client sends it as Last-Event-ID when it reconnects; absent: it sends the one before. */
  readonly id?: number | string;
  /** Its name; absent: `message`. */
  readonly event?: string;
  readonly data: object;
}

/** Reconnect delay of a client, ms. */
const RETRY_MS = 3_000;
/** Proxies close connections that are silent for a minute. */
const SILENCE_MS = 15_000;

/** A message as it leaves. */
export const textOf = ({ id, event, data }: StreamMessage): string =>
  `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;

const SILENT: unique symbol = Symbol('silent');

/** The first of the two: the next message, or the end of the wait. */
async function nextOrSilence<T>(next: Promise<T>, silenceMs: number): Promise<T | typeof SILENT> {
  const waiting = new AbortController();
  const silence = after(silenceMs, SILENT, { signal: waiting.signal }).catch((): typeof SILENT => SILENT);
  try {
    return await Promise.race([next, silence]);
  } finally {
    waiting.abort();
  }
}

/** Yields messages as sent; comments in between during pauses. */
export async function* eventTexts(
  messages: AsyncIterable<StreamMessage>,
  silenceMs: number = SILENCE_MS,
): AsyncGenerator<string> {
  const iterator = messages[Symbol.asyncIterator]();
  yield `retry: ${RETRY_MS}\n\n`;
  try {
    let next = iterator.next();
    for (;;) {
      const found = await nextOrSilence(next, silenceMs);
      if (found === SILENT) yield ': nothing new\n\n';
      else if (found.done === true) return;
      else {
        yield textOf(found.value);
        next = iterator.next();
      }
    }
  } finally {
    // It may wait forever: its own signal ends that.
    void iterator.return?.();
  }
}

/** A reply that continues as long as there are messages. */
export const presentStream = (
  messages: AsyncIterable<StreamMessage>,
  live: Pick<Raw, 'close' | 'stalled'> = {},
): Presented => ({
  body: undefined,
  headers: { 'X-Accel-Buffering': 'no' },
  raw: { type: EVENT_STREAM, content: eventTexts(messages), isLive: true, ...live },
});
