import { request } from 'undici';
import type { Outbound } from '#domain/ports/outbound.ts';

/** The body as text, or a refusal when it is larger than `maxBytes`. */
export const bounded = async (body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new Error(`The response is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

/** Returns a cause in a few words, with the system's error code. */
const causeOf = (error: Error, timeoutMs: number): string => {
  if (error.name === 'TimeoutError') return `no response within ${timeoutMs / 1000}s`;
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? error.message : `${code}: ${error.message}`;
};

/** An error names host and cause. */
export const outboundGet: Pick<Outbound, 'get'> = {
  async get(url, { timeoutMs, maxBytes }) {
    if (!url.startsWith('https://')) throw new Error('Only HTTPS URLs are supported');
    try {
      const { statusCode, body } = await request(url, { signal: AbortSignal.timeout(timeoutMs) });
      return { status: statusCode, body: await bounded(body, maxBytes) };
    } catch (cause) {
      throw new Error(`${new URL(url).host} (${causeOf(cause as Error, timeoutMs)})`, { cause });
    }
  },
};
