/** Maximum length of a line; objects in Kubernetes have 1.5 MiB at most. */
const MAX_LINE = 16 * 1_024 * 1_024;
const NEWLINE = 10;

/** Splits a stream of JSON lines. An incomplete last line is dropped. */
export async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      parts.push(chunk.subarray(from, end));
      yield Buffer.concat(parts).toString('utf8');
      parts = [];
      size = 0;
      from = end + 1;
    }
    if (from === chunk.length) continue;
    parts.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > MAX_LINE) throw new Error(`the response has a line of more than ${MAX_LINE} bytes`);
  }
}

/** Returns the whole body as text. */
export async function wholeOf(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`the response is larger than ${maxBytes} bytes`);
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString('utf8');
}
