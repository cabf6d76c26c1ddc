import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { After } from '#domain/ports/clock.ts';
import { estimateTokens, MAX_REQUEST_TOKENS } from '#features/ai/rules/tokens.ts';

/** A request as it arrives. */
export interface Received {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly temperature?: number;
  readonly reasoning_effort?: string;
  readonly response_format?: { readonly type: string };
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/** A call that the model wants made. */
interface ToolCallInput {
  readonly name: string;
  readonly arguments: string;
}

/** A request for vectors as it arrives. */
export interface ReceivedTexts {
  readonly model: string;
  readonly input: readonly string[];
  readonly encoding_format?: string;
  readonly dimensions?: number;
}

/** Reaction of the server to one request. */
export interface Behaviour {
  /** The answer, or a function of the request. */
  readonly say?: string | ((request: Received) => string);
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Body instead of an answer, unchanged. */
  readonly body?: string;
  /** Parameters that it refuses by 400, one at a time and by name. */
  readonly refuses?: readonly string[];
  readonly finish?: 'stop' | 'length' | 'content_filter' | 'tool_calls';
  readonly refusal?: string;
  /** Calls a tool that was not offered. */
  readonly tool?: string;
  /** Asks for these instead of an answer; where the request offers no tools it answers. */
  readonly calls?: readonly ToolCallInput[] | ((request: Received) => readonly ToolCallInput[]);
  readonly withoutUsage?: true;
  /** Answers in one piece although a stream is wanted. */
  readonly whole?: true;
  /** Delay before the headers, ms. */
  readonly waits?: number;
  /** Is silent for ever: before the headers, or after them. */
  readonly hangs?: 'before' | 'after';
  /** Closes the connection in the middle of the stream, or sends an error in it, or ends it too early. */
  readonly breaks?: 'connection' | 'error' | 'end';
}

const INPUT_TOKENS = 700;
const OUTPUT_TOKENS = 80;

const tokensOf = (request: Received): number => {
  const texts = request.messages.map(({ content }) => content).join('\n');
  const output = request.max_completion_tokens ?? request.max_tokens ?? Number.POSITIVE_INFINITY;
  const shapes = [request.response_format ?? '', request.tools ?? ''].map((shape) => JSON.stringify(shape));
  return estimateTokens(texts) + shapes.reduce((sum, shape) => sum + estimateTokens(shape), 0) + output;
};

const bodyOf = async <T>(request: IncomingMessage): Promise<T> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as T;
};

const USAGE = { prompt_tokens: INPUT_TOKENS, completion_tokens: OUTPUT_TOKENS, total_tokens: 780 };

const json = (response: ServerResponse, status: number, body: unknown, headers = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
};

const wishesOf = ({ tool, calls }: Behaviour, request: Received): readonly ToolCallInput[] => {
  if (tool !== undefined) return [{ name: tool, arguments: '{}' }];
  if (calls === undefined || request.tools === undefined) return [];
  return typeof calls === 'function' ? calls(request) : calls;
};
const callOf = (wish: ToolCallInput, index: number) => ({
  index,
  id: `t${index + 1}`,
  type: 'function',
  function: wish,
});

const messageOf = ({ refusal }: Behaviour, text: string, wishes: readonly ToolCallInput[]) => ({
  role: 'assistant',
  content: wishes.length === 0 && refusal === undefined ? text : null,
  ...(refusal !== undefined && { refusal }),
  ...(wishes.length > 0 && { tool_calls: wishes.map(callOf) }),
});

/** Deltas as servers send them: the name first, then the arguments in pieces. */
const deltasOf = (wishes: readonly ToolCallInput[]): object[] =>
  wishes.flatMap(({ name, arguments: all }, index) => {
    const half = Math.ceil(all.length / 2);
    const piece = (more: object) => ({ tool_calls: [{ index, ...more }] });
    return [
      piece({ id: `t${index + 1}`, type: 'function', function: { name, arguments: '' } }),
      piece({ function: { arguments: all.slice(0, half) } }),
      piece({ function: { arguments: all.slice(half) } }),
    ];
  });

const streamed = (response: ServerResponse, behaviour: Behaviour, text: string, request: Received): void => {
  const wishes = wishesOf(behaviour, request);
  const chunk = (delta: object, finish: string | null = null, more = {}) =>
    response.write(
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`,
    );
  response.writeHead(200, { 'content-type': 'text/event-stream', ...behaviour.headers });
  response.flushHeaders();
  if (behaviour.hangs === 'after') return;
  const message = messageOf(behaviour, text, []);
  const half = Math.ceil(text.length / 2);
  const isText = message.content !== null && wishes.length === 0;
  chunk({ role: 'assistant', content: isText ? text.slice(0, half) : null });
  if (behaviour.breaks === 'connection') {
    setImmediate(() => response.destroy());
    return;
  }
  if (behaviour.breaks === 'error') {
    response.write('data: {"error":{"message":"overloaded","type":"server_error","code":null}}\n\n');
    response.end();
    return;
  }
  if (behaviour.breaks === 'end') {
    response.end();
    return;
  }
  for (const delta of deltasOf(wishes)) chunk(delta);
  chunk({ ...message, content: isText ? text.slice(half) : null });
  chunk({}, behaviour.finish ?? (wishes.length > 0 ? 'tool_calls' : 'stop'));
  if (request.stream_options?.include_usage === true && !behaviour.withoutUsage)
    response.write(`data: ${JSON.stringify({ choices: [], usage: USAGE })}\n\n`);
  response.end('data: [DONE]\n\n');
};

/** Words that mean the same, of which all vectors have one direction. */
const MEANINGS: readonly (readonly string[])[] = [
  ['sluggish', 'slow', 'latency', 'crawls', 'lagging'],
  ['money', 'invoice', 'billing', 'payment', 'checkout'],
  ['flood', 'water', 'leak', 'moisture'],
];

/** A vector by words and `MEANINGS`: texts with words of the same meaning are similar. */
const vectorOf = (text: string, size: number): number[] => {
  const vector = new Array<number>(size).fill(0);
  for (const word of text.toLowerCase().match(/[a-z]{3,}/g) ?? []) {
    const meaning = MEANINGS.findIndex((words) => words.includes(word));
    let place = 0;
    for (const letter of word) place = (place * 31 + letter.charCodeAt(0)) % (size - MEANINGS.length);
    if (meaning >= 0) vector[meaning]! += 3;
    else vector[MEANINGS.length + place]! += 1;
  }
  return vector;
};

/** Size of a server that was not asked for fewer. */
const OWN_SIZE = 384;

const answerTexts = (response: ServerResponse, behaviour: Behaviour, request: ReceivedTexts): void => {
  const { status = 200, headers = {}, body, refuses = [] } = behaviour;
  if (behaviour.hangs === 'before') return;
  const refused = refusedIn(request, refuses);
  if (refused !== undefined)
    json(response, 400, { error: { message: `Unsupported parameter: ${refused}`, param: refused } });
  else if (body !== undefined) response.writeHead(status, { ...headers }).end(body);
  else if (status !== 200) json(response, status, { error: { message: 'no', type: 'server_error' } }, headers);
  else {
    const size = request.dimensions ?? OWN_SIZE;
    const data = request.input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text, size) }));
    const usage = { prompt_tokens: 7 * request.input.length, total_tokens: 7 * request.input.length };
    // Returned in no order: the index defines it.
    json(response, 200, {
      object: 'list',
      data: data.toReversed(),
      model: 'm',
      ...(!behaviour.withoutUsage && { usage }),
    });
  }
};

const refusedIn = (request: object, refuses: readonly string[]): string | undefined =>
  refuses.find((name) => {
    const [key, type] = name.split('=');
    const value = (request as Record<string, unknown>)[key!];
    return value !== undefined && (type === undefined || (value as { type?: string }).type === type);
  });

const answerWith = (response: ServerResponse, behaviour: Behaviour, request: Received): void => {
  const { say = '{}', status = 200, headers = {}, body, refuses = [], finish = 'stop' } = behaviour;
  if (behaviour.hangs === 'before') return;
  const refused = refusedIn(request, refuses);
  if (refused !== undefined) {
    const error = { message: `Unsupported parameter: ${refused}`, type: 'invalid_request_error', param: refused };
    json(response, 400, { error });
    return;
  }
  if (body !== undefined) {
    response.writeHead(status, { ...headers }).end(body);
    return;
  }
  if (status !== 200) {
    json(response, status, { error: { message: 'no', type: 'server_error' } }, headers);
    return;
  }
  const text = typeof say === 'string' ? say : say(request);
  if (request.stream === true && behaviour.whole !== true) {
    streamed(response, behaviour, text, request);
    return;
  }
  const message = messageOf(behaviour, text, wishesOf(behaviour, request));
  const choices = [{ index: 0, message, finish_reason: finish }];
  json(response, 200, {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices,
    ...(!behaviour.withoutUsage && { usage: USAGE }),
  });
};

/** A server for chat completions, which misbehaves as scripted: call by call, then forever like the last one. */
export const openModelStub = async (after: After) => {
  const received: Received[] = [];
  const texts: ReceivedTexts[] = [];
  let script: readonly Behaviour[] = [{}];
  let calls = 0;
  let embedding: Behaviour = {};
  const server = createServer((request, response) => {
    void (async () => {
      if (request.url?.endsWith('/embeddings')) {
        const asked = await bodyOf<ReceivedTexts>(request);
        texts.push(asked);
        answerTexts(response, embedding, asked);
        return;
      }
      const body = await bodyOf<Received>(request);
      received.push(body);
      const behaviour = script[Math.min(calls, script.length - 1)]!;
      calls += 1;
      if (behaviour.waits !== undefined) after(behaviour.waits, () => answerWith(response, behaviour, body));
      else answerWith(response, behaviour, body);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received,
    /** Requests for vectors. */
    texts,
    /** Sets the reaction to requests for vectors; earlier ones are forgotten. */
    embeds(behaviour: Behaviour = {}): void {
      embedding = behaviour;
      texts.length = 0;
    },
    /** Sets the reactions; earlier requests are forgotten. */
    plays(...steps: readonly Behaviour[]): void {
      script = steps;
      calls = 0;
      received.length = 0;
    },
    /** Requests of more than 4,000 tokens, output included. */
    tooLarge: (): number[] => received.map(tokensOf).filter((tokens) => tokens > MAX_REQUEST_TOKENS),
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
export type ModelStub = Awaited<ReturnType<typeof openModelStub>>;

/** An answer of claims. */
export const claimsText = (...claims: readonly (readonly [text: string, ...refs: string[]])[]): string =>
  JSON.stringify({
    claims: claims.map(([text, ...refs]) => ({ text, refs, certainty: 'likely' })),
    abstain: false,
    reason: '',
  });
