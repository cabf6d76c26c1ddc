import { z } from 'zod';
import { EVENT_STREAM, presentStream, type StreamMessage } from '#api/http/replies/event-stream.ts';
import { type AnyEndpoint, endpoint, on } from '#api/surfaces/endpoint.ts';
import { Fault } from '#domain/fault.ts';
import { succeeded, v1List, wrapped, wrappedList } from '#schemas/http/envelope.ts';
import { pageFields, pageInfo, withinWindow } from '#schemas/http/paging.ts';

const TOTAL = 45;
const ListQuery = z.strictObject({ ...pageFields({ limit: 20, max: 100 }) }).check(withinWindow);
type ListQuery = z.output<typeof ListQuery>;

interface Listed {
  readonly query: ListQuery;
  readonly items: number[];
}
const presentList = ({ query, items }: Listed) => ({
  body: items,
  page: pageInfo(query, { items, total: TOTAL, nextCursor: null }),
});

const list = endpoint({
  id: 'sample.list',
  summary: 'List numbers',
  tag: 'Sample',
  permission: 'cmdb.read',
  limit: 'standard',
  mounts: [
    on.v1.get('/numbers', {
      query: ListQuery,
      reply: v1List(z.int()),
      read: ({ query }) => query,
      present: presentList,
    }),
    on.platform.get('/numbers', {
      query: ListQuery,
      reply: wrappedList(z.int()),
      read: ({ query }) => query,
      present: presentList,
    }),
  ],
  handle: async (query: ListQuery) => {
    const first = (query.page - 1) * query.limit;
    const items = Array.from({ length: TOTAL }, (_, i) => i).slice(first, first + query.limit);
    return { query, items };
  },
});

const Word = z.strictObject({ severity: z.enum(['critical', 'major']), note: z.string().max(9).optional() });
type Word = z.output<typeof Word>;
const LooseWord = z.object(Word.shape);

/** Runs of the handler of `sample.say`; its behavior by word. */
export const said: string[] = [];
const reactions: Readonly<Record<string, () => Promise<never>>> = {
  crash: async () => {
    throw new Error('SELECT secret FROM /srv/x');
  },
  busy: async () => {
    throw new Fault('unavailable', 'The store is down');
  },
  wish: async () => {
    throw new Fault('unavailable', 'No model is configured', [], { isWish: true });
  },
  conflict: async () => {
    throw new Fault('conflict', 'Twice', [], { data: { conflictingEventId: 'EVT-1' } });
  },
};
interface Gate {
  readonly entered: PromiseWithResolvers<void>;
  readonly opened: PromiseWithResolvers<void>;
}
let gate: Gate | null = null;

/**
 * Lets the handler of `sample.say` wait from now on: `entered` once it does, until `open`; `lift` for later requests.
 */
export function hold() {
  const held = { entered: Promise.withResolvers<void>(), opened: Promise.withResolvers<void>() };
  gate = held;
  const lift = (): void => {
    gate = null;
  };
  return { entered: held.entered.promise, open: () => held.opened.resolve(), lift };
}

async function pass(): Promise<void> {
  gate?.entered.resolve();
  await gate?.opened.promise;
}

const say = endpoint({
  id: 'sample.say',
  summary: 'Say a word',
  tag: 'Sample',
  permission: 'events.ingest',
  limit: 'query',
  mounts: [
    on.events.post('/say', {
      body: LooseWord,
      status: 201,
      reply: succeeded({ severity: z.string() }),
      read: ({ body }) => body,
      present: ({ severity }: Word) => ({ body: { severity } }),
    }),
    on.platform.post('/say', {
      body: Word,
      status: 201,
      replyHeaders: ['Location'],
      reply: wrapped(z.object({ severity: z.string() })),
      read: ({ body }) => body,
      present: ({ severity, note }: Word) => ({
        body: { severity: note === 'lie' ? 1 : severity },
        headers: { Location: '/api/said/1' },
      }),
    }),
  ],
  handle: async (word: Word) => {
    said.push(word.severity);
    await pass();
    await reactions[word.note ?? '']?.();
    return word;
  },
});

const ask = endpoint({
  id: 'sample.ask',
  summary: 'Ask a model',
  tag: 'Sample',
  permission: 'ai.use',
  limit: 'ai',
  mounts: [
    on.ai.post('/ask/{id}', {
      body: Word,
      reply: succeeded({ answer: z.string() }),
      read: ({ body }) => body,
      present: (answer: string) => ({ body: { answer } }),
      deprecated: { date: '2026-01-31T00:00:00Z', info: '/docs' },
    }),
  ],
  handle: async ({ severity }: Word) => severity,
});

const take = endpoint({
  id: 'sample.take',
  summary: 'Take anything',
  tag: 'Sample',
  permission: 'events.webhook',
  limit: 'webhook',
  lenientCredentials: true,
  mounts: [
    on.events.post('/webhook/{source}', {
      body: z.unknown(),
      bodyKind: 'any',
      maxBytes: 2000,
      reply: succeeded({ body: z.unknown() }),
      read: ({ body }) => body,
      present: (body: unknown) => ({ body: { body } }),
    }),
  ],
  handle: async (body: unknown) => body,
});

async function* countingLines(upload: AsyncIterable<Uint8Array>) {
  let size = 0;
  for await (const chunk of upload) size += chunk.length;
  yield `event: progress\ndata: ${size}\n\n`;
  yield 'event: complete\ndata: done\n\n';
}

const stream = endpoint({
  id: 'sample.stream',
  summary: 'Stream in and out',
  tag: 'Sample',
  permission: 'discovery.submit',
  limit: 'bulk',
  mounts: [
    on.platform.post('/stream', {
      bodyKind: 'stream',
      maxBytes: 3_000_000,
      reply: z.string(),
      replyType: 'text/event-stream',
      read: ({ body }) => body as unknown as AsyncIterable<Uint8Array>,
      present: (content: AsyncIterable<string>) => ({ body: null, raw: { type: 'text/event-stream', content } }),
    }),
  ],
  handle: async (upload: AsyncIterable<Uint8Array>) => countingLines(upload),
});

async function* endlessLines(fails: boolean): AsyncGenerator<string> {
  for (;;) {
    yield 'data: again\n\n'.repeat(1_000);
    if (fails) throw new Error('the store is gone');
  }
}
const EndlessQuery = z.strictObject({ fails: z.literal('true').optional() });

const endless = endpoint<boolean, AsyncIterable<string>>({
  id: 'sample.endless',
  summary: 'Stream without end',
  tag: 'Sample',
  permission: 'discovery.submit',
  limit: 'bulk',
  mounts: [
    on.platform.get('/endless', {
      query: EndlessQuery,
      reply: z.string(),
      replyType: 'text/event-stream',
      read: ({ query }) => query.fails !== undefined,
      present: (content) => ({ body: null, raw: { type: 'text/event-stream', content } }),
    }),
  ],
  handle: async (fails) => endlessLines(fails),
});

async function* told(signal: AbortSignal): AsyncGenerator<StreamMessage> {
  yield { id: 1, data: { type: 'begun' } };
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
}

const live = endpoint<undefined, AsyncIterable<StreamMessage>>({
  id: 'sample.live',
  summary: 'Tell as long as there is something to tell',
  tag: 'Sample',
  permission: 'events.read',
  limit: 'standard',
  takesLong: true,
  mounts: [
    on.ops.get('/sse/sample', {
      reply: z.string(),
      replyType: EVENT_STREAM,
      replyHeaders: ['X-Accel-Buffering'],
      read: () => undefined,
      present: (messages) => presentStream(messages),
    }),
  ],
  handle: async (_, { signal, service }) => told(AbortSignal.any([signal, service.stopping])),
});

/** One small endpoint per dialect and form of reading. */
export const samples: readonly AnyEndpoint[] = [list, say, ask, take, stream, endless, live];
