import type { ServerResponse } from 'node:http';
import type { Stalled } from '#api/surfaces/endpoint.ts';

/** The last words have so long to leave, ms. */
const LAST_MS = 1_000;

/**
 * Hands the content on, and cuts the connection off when a piece waits for too long: the next piece is asked for only when the one
 * before it was read.
 */
export async function* cutWhenStalled(
  content: AsyncIterable<string | Uint8Array>,
  response: ServerResponse,
  { mostMs, last, stopping }: Stalled,
): AsyncGenerator<string | Uint8Array> {
  let cutting: NodeJS.Timeout | undefined;
  const cut = (): void => {
    cutting ??= setTimeout(() => response.destroy(), LAST_MS).unref();
  };
  const stalled = (): void => {
    response.end(last());
    cut();
  };
  // A body that is read in time ends by itself.
  stopping.addEventListener('abort', cut, { once: true });
  response.once('close', () => clearTimeout(cutting));
  try {
    for await (const piece of content) {
      const timer = setTimeout(stalled, mostMs).unref();
      try {
        yield piece;
      } finally {
        clearTimeout(timer);
      }
    }
  } finally {
    stopping.removeEventListener('abort', cut);
  }
}
