import type { After } from '#domain/ports/clock.ts';

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Bytes of one reply; a model writes a few KB. */
const MAX_BYTES = 1_048_576;

export interface Stall {
  readonly after: After;
  /** Maximum time without a byte, ms. */
  readonly ms: number;
  readonly stalled: () => void;
}

/**
 * Returns a `fetch` that reports when no byte has arrived for a while, headers or body, and that ends a body which is
 * too large.
 */
export const watchedFetch =
  (fetch: Fetch, { after, ms, stalled }: Stall): Fetch =>
  async (input, init) => {
    let stop = after(ms, stalled);
    const again = (): void => {
      stop();
      stop = after(ms, stalled);
    };
    try {
      const response = await fetch(input, init);
      again();
      if (response.body === null) {
        stop();
        return response;
      }
      let bytes = 0;
      const watch = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, to) {
          again();
          bytes += chunk.byteLength;
          if (bytes > MAX_BYTES) to.error(new Error('response too large'));
          else to.enqueue(chunk);
        },
        flush: () => stop(),
      });
      init?.signal?.addEventListener('abort', () => stop(), { once: true });
      return new Response(response.body.pipeThrough(watch), response);
    } catch (error) {
      stop();
      throw error;
    }
  };
