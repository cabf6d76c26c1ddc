import { request } from 'undici';
import type { Outbound } from '#domain/ports/outbound.ts';

/** The body as text, or a refusal when it is larger than `maxBytes`. */
const bounded = async (body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new Error(`The answer is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

/** GET over https only; redirects are answered as they are, not followed. The caller has checked the host. */
export const outbound: Outbound = {
  async get(url, { timeoutMs, maxBytes }) {
    if (!url.startsWith('https://')) throw new Error('Only https addresses are called');
    const { statusCode, body } = await request(url, { signal: AbortSignal.timeout(timeoutMs) });
    return { status: statusCode, body: await bounded(body, maxBytes) };
  },
};
