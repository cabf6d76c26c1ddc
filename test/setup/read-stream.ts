/** Reads server-sent events directly, so that a test can cut the connection anywhere. */

export interface ReadEvent {
  /** Null: the event has none, and the id before it stays. */
  readonly id: number | null;
  // biome-ignore lint/suspicious/noExplicitAny: events of several shapes.
  readonly data: any;
}
export interface StreamReply {
  readonly status: number;
  readonly headers: Headers;
  /** Events until the end of the stream, or until `cutAfter` bytes were read. */
  readonly events: readonly ReadEvent[];
  /** True if the server ended it. */
  readonly ended: boolean;
  readonly text: string;
}

const eventIn = (block: string): ReadEvent | null => {
  const fields = block.split('\n').map((line) => /^(\w+): (.*)$/.exec(line));
  const field = (name: string): string | undefined => fields.find((one) => one?.[1] === name)?.[2];
  const data = field('data');
  if (data === undefined) return null;
  const id = field('id');
  return { id: id === undefined ? null : Number(id), data: JSON.parse(data) };
};

/** A part without the blank line at its end is no event yet. */
const eventsIn = (text: string): ReadEvent[] =>
  text
    .split('\n\n')
    .slice(0, -1)
    .flatMap((block) => eventIn(block) ?? []);

export async function readStream(
  url: string,
  { headers = {}, cutAfter = Number.POSITIVE_INFINITY }: { headers?: Record<string, string>; cutAfter?: number } = {},
): Promise<StreamReply> {
  const cutting = new AbortController();
  const response = await fetch(url, { headers, signal: cutting.signal });
  const { status } = response;
  let [text, ended] = ['', true];
  const decoder = new TextDecoder();
  if (response.body !== null)
    try {
      for await (const chunk of response.body) {
        const room = cutAfter - text.length;
        text += decoder.decode(chunk, { stream: true }).slice(0, room);
        if (text.length < cutAfter) continue;
        ended = false;
        break;
      }
    } catch {
      ended = false;
    }
  if (!ended) cutting.abort();
  return { status, headers: response.headers, events: eventsIn(text), ended, text };
}
