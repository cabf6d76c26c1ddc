/** One event of a stream as received. */
interface LiveEvent {
  readonly event: string;
  readonly id: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: events of several shapes.
  readonly data: any;
}

/** A stream that is being read. */
export interface LiveStream {
  readonly status: number;
  readonly headers: Headers;
  /** Events so far. */
  readonly events: readonly LiveEvent[];
  /**
   * Returns the first event of the name after this number of events; rejects after 10 s, or when the stream ends
   * before.
   */
  next(event: string, after?: number): Promise<LiveEvent>;
  /** Id of the last event that had one. */
  lastId(): string | null;
  /** Resolves when the server has ended it. */
  readonly ended: Promise<void>;
  /** Hangs up. */
  cut(): Promise<void>;
}

const MAX_MS = 10_000;

const eventIn = (block: string): LiveEvent | null => {
  const lines = block.split('\n');
  const field = (name: string): string | undefined =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const data = field('data');
  if (data === undefined) return null;
  return { event: field('event') ?? 'message', id: field('id') ?? null, data: JSON.parse(data) };
};

export const openLiveStream = async (
  url: string,
  { token, lastId, post }: { readonly token?: string; readonly lastId?: string | null; readonly post?: object } = {},
): Promise<LiveStream> => {
  const cutting = new AbortController();
  const headers = {
    ...(post !== undefined && { 'content-type': 'application/json', accept: 'text/event-stream' }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(lastId !== undefined && lastId !== null && { 'last-event-id': lastId }),
  };
  const asked = post === undefined ? {} : { method: 'POST', body: JSON.stringify(post) };
  const response = await fetch(url, { ...asked, headers, signal: cutting.signal });
  const events: LiveEvent[] = [];
  let isOver = false;
  let look = (): void => undefined;
  const read = async (): Promise<void> => {
    let text = '';
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) {
        const blocks = (text + decoder.decode(chunk, { stream: true })).split('\n\n');
        text = blocks.pop()!;
        events.push(...blocks.flatMap((block) => eventIn(block) ?? []));
        look();
      }
    } catch (error) {
      if (!cutting.signal.aborted) throw error;
    } finally {
      isOver = true;
      look();
    }
  };
  const ended = read();
  ended.catch(() => undefined);
  const next = async (event: string, after = 0): Promise<LiveEvent> => {
    const late = performance.now() + MAX_MS;
    for (;;) {
      const found = events.slice(after).find((one) => one.event === event);
      if (found !== undefined) return found;
      if (isOver || performance.now() > late) throw new Error(`No ${event} came; there were ${JSON.stringify(events)}`);
      await new Promise<void>((resolve) => {
        look = resolve;
        setTimeout(resolve, 100);
      });
    }
  };
  return {
    status: response.status,
    headers: response.headers,
    events,
    next,
    ended,
    lastId: () => events.findLast(({ id }) => id !== null)?.id ?? null,
    async cut() {
      cutting.abort();
      await ended;
    },
  };
};
