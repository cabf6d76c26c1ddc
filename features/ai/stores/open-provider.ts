import OpenAI, { APIError, BadRequestError, UnprocessableEntityError } from 'openai';
import type { ModelReply, ModelRequest, TokenUsage, WishedCall } from '#domain/ai/model.ts';
import type { After, Clock } from '#domain/ports/clock.ts';
import type { ModelProvider } from '#domain/ports/model/model-provider.ts';
import { correctedBy, estimateTokens } from '#features/ai/rules/tokens.ts';
import { failureOf } from './failures.ts';
import { heardNothing, hearStream, hearWhole, type ReplySoFar } from './read-reply.ts';
import { watchedFetch } from './watched-fetch.ts';

/** Parameters that a server accepts. Servers differ and report it by 400 only, so refused ones are not sent again. */
interface Parameters {
  readonly tokens: 'max_tokens' | 'max_completion_tokens';
  /** `bounded`: a schema with lengths. */
  readonly format: 'bounded' | 'json_schema' | 'json_object' | 'none';
  readonly temperature: boolean;
  readonly usage: boolean;
  readonly stream: boolean;
  readonly effort: boolean;
  readonly tools: boolean;
}

/** Ollama does not know the new name: its output would have no bound. The vendor refuses the old one for models that think. */
const firstParameters = (isVendor: boolean): Parameters => ({
  tokens: isVendor ? 'max_completion_tokens' : 'max_tokens',
  format: isVendor ? 'json_schema' : 'bounded',
  temperature: true,
  usage: true,
  stream: true,
  effort: true,
  tools: true,
});

type FallbackStep = (now: Parameters) => Parameters | null;

const otherName: FallbackStep = (now) => ({
  ...now,
  tokens: now.tokens === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens',
});
const lesserFormat: FallbackStep = (now) =>
  now.format === 'none' ? null : { ...now, format: now.format === 'json_object' ? 'none' : 'json_object' };
const withoutBounds: FallbackStep = (now) => (now.format === 'bounded' ? { ...now, format: 'json_schema' } : null);
const without =
  (name: 'temperature' | 'usage' | 'stream' | 'effort' | 'tools'): FallbackStep =>
  (now) =>
    now[name] ? { ...now, [name]: false } : null;

/** Steps by the words of a refusal; the first match is tried. */
const NAMED: readonly (readonly [RegExp, FallbackStep])[] = [
  [/(max|min)(Length|Items)/, withoutBounds],
  [/reasoning_effort/i, without('effort')],
  [/max_(completion_)?tokens/i, otherName],
  [/response_format|json_schema|json_object|schema|grammar|structured/i, lesserFormat],
  [/temperature/i, without('temperature')],
  [/stream_options|include_usage/i, without('usage')],
  [/\bstream/i, without('stream')],
];
/** Steps for a refusal without a name: the parameter that servers lack most often is first. */
const UNNAMED: readonly FallbackStep[] = [
  withoutBounds,
  lesserFormat,
  without('temperature'),
  without('usage'),
  without('stream'),
];

/** Other parameters do not help there. */
const TOO_LONG = /context (size|length|window)|exceed_context|too long/i;

/** A refusal that speaks of tools. */
const OF_TOOLS = /\btool|function.?call|functions?\b/i;
const refusesTools = (refusal: string): boolean => OF_TOOLS.test(refusal);

/** The next request after a 400; null when nothing is left to change. `withTools`: the request offered some. */
const lesser = (now: Parameters, refusal: string, withTools = false): Parameters | null => {
  if (TOO_LONG.test(refusal)) return null;
  if (withTools && now.tools && refusesTools(refusal)) return { ...now, tools: false };
  const named = NAMED.filter(([word]) => word.test(refusal)).map(([, step]) => step);
  const unnamed = withTools ? [without('tools'), ...UNNAMED] : UNNAMED;
  for (const step of named.length > 0 ? named : unnamed) {
    const next = step(now);
    if (next !== null) return next;
  }
  return null;
};

/** The vendor refuses bounds in strict schemas; a grammar of llama.cpp has no other end for a text. */
const BOUNDS: ReadonlySet<string> = new Set(['minLength', 'maxLength', 'minItems', 'maxItems']);

/** The schema without its bounds, at any depth. */
const unbounded = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(unbounded);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !BOUNDS.has(key))
      .map(([key, value]) => [key, unbounded(value)]),
  );
};

export interface ProviderOptions {
  /** A local server needs none. */
  readonly apiKey: string | null;
  /** Null: the vendor. */
  readonly baseUrl: string | null;
  readonly model: string;
  readonly clock: Clock;
  readonly after: After;
}

const STALL_MS = 30_000;
/** Longer than any request of ours: our own signals end it. */
const NEVER_MS = 600_000;
/** A chat template adds these to every message. */
const PER_MESSAGE = 6;

const schemaOf = ({ name, json }: NonNullable<ModelRequest['schema']>, { format }: Parameters) => ({
  name,
  strict: true,
  schema: format === 'bounded' ? { ...json } : (unbounded(json) as Record<string, unknown>),
});

const formatOf = ({ schema }: ModelRequest, now: Parameters) => {
  if (schema === null || now.format === 'none') return {};
  if (now.format === 'json_object') return { response_format: { type: 'json_object' as const } };
  return { response_format: { type: 'json_schema' as const, json_schema: schemaOf(schema, now) } };
};

const toolsOf = ({ tools }: ModelRequest) =>
  tools?.map(({ name, description, parameters }) => ({
    type: 'function' as const,
    function: { name, description, parameters: { ...parameters } },
  }));

const bodyOf = (model: string, request: ModelRequest, now: Parameters) => ({
  model,
  messages: [
    { role: 'system' as const, content: request.system },
    { role: 'user' as const, content: request.user },
  ],
  [now.tokens]: request.maxOutput,
  ...(now.temperature && { temperature: 0 }),
  ...(request.tools !== undefined && { tools: toolsOf(request) }),
  ...formatOf(request, now),
  ...(now.effort && request.isBrief === true && { reasoning_effort: 'low' as const }),
  stream: now.stream,
  ...(now.stream && now.usage && { stream_options: { include_usage: true } }),
});

const toolTokens = ({ tools }: ModelRequest): number =>
  tools === undefined ? 0 : estimateTokens(JSON.stringify(tools));
const estimateOf = (request: ModelRequest): number =>
  estimateTokens(request.system) + estimateTokens(request.user) + toolTokens(request) + 2 * PER_MESSAGE;

/** Some servers answer 500 or 501 where they have no tools. */
const isRefusal = ({ tools }: ModelRequest, error: APIError): boolean =>
  error instanceof BadRequestError ||
  error instanceof UnprocessableEntityError ||
  (tools !== undefined && Number(error.status) >= 500 && refusesTools(error.message));

const callsOf = ({ calls }: ReplySoFar): readonly WishedCall[] =>
  [...calls].sort(([a], [b]) => a - b).map(([, call]) => call);

interface ProviderQuestion {
  readonly body: ReturnType<typeof bodyOf>;
  readonly signal: AbortSignal;
  readonly stalled: () => void;
}

/** Asks, and adds each reply; throws the client's errors. */
async function ask(
  { apiKey, baseUrl, after }: ProviderOptions,
  { body, signal, stalled }: ProviderQuestion,
  heard: ReplySoFar,
): Promise<void> {
  const watched = watchedFetch(globalThis.fetch, { after, ms: STALL_MS, stalled });
  const client = new OpenAI({
    apiKey: apiKey ?? 'none',
    ...(baseUrl !== null && { baseURL: baseUrl }),
    maxRetries: 0,
    timeout: NEVER_MS,
    fetch: watched,
    logLevel: 'off',
    organization: null,
    project: null,
  });
  const response = await client.chat.completions
    .create(body as OpenAI.ChatCompletionCreateParamsStreaming, { signal })
    .asResponse();
  const type = response.headers.get('content-type') ?? '';
  if (type.includes('text/event-stream')) {
    const controller = new AbortController();
    const { Stream } = await import('openai/streaming');
    await hearStream(Stream.fromSSEResponse<OpenAI.ChatCompletionChunk>(response, controller), heard);
  } else hearWhole(JSON.parse(await response.text()), heard);
}

/**
 * One model behind the chat completions interface, asked once per call; its token ratio and accepted parameters are
 * learned.
 */
export const openProvider = (options: ProviderOptions): ModelProvider => {
  const { baseUrl, model, clock } = options;
  let parameters = firstParameters(baseUrl === null);
  let ratio: number | null = null;
  const correction = (): number => ratio ?? 1;

  const usageOf = (request: ModelRequest, heard: ReplySoFar): TokenUsage => {
    const { usage, text } = heard;
    const output = estimateTokens(text + JSON.stringify(callsOf(heard)), correction());
    const input = estimateTokens(request.system + request.user, correction()) + toolTokens(request);
    if (usage === null) return { input, output, estimated: true };
    ratio = correctedBy(ratio, usage.input, estimateOf(request));
    return { ...usage, estimated: false };
  };

  const replyOf = (request: ModelRequest, heard: ReplySoFar): ModelReply => {
    const usage = usageOf(request, heard);
    const failed = (
      failure: 'refused' | 'invalid_output' | 'provider',
      again: 'never' | 'briefly' | 'later' | 'corrected',
      detail: string,
    ): ModelReply => ({ failure, usage, again, detail });
    if (heard.refusal || heard.finish === 'content_filter') return failed('refused', 'never', 'the model refused');
    if (heard.finish === null) return failed('provider', 'later', 'the answer was truncated');
    if (request.tools !== undefined && (heard.calls.size > 0 || heard.text === '') && heard.finish !== 'length')
      return { text: heard.text, usage, calls: callsOf(heard) };
    if (heard.text !== '')
      return { text: heard.text, usage, ...(heard.finish === 'length' && { isCut: true as const }) };
    if (heard.finish === 'length') return failed('invalid_output', 'briefly', 'reasoning used all tokens');
    return failed('invalid_output', 'corrected', heard.calls.size > 0 ? 'no tools were offered' : 'empty answer');
  };

  /** A refusal of a parameter is asked again without it; other refusals end the question. */
  const refusalOf = (request: ModelRequest, error: APIError): ModelReply => {
    const next = lesser(parameters, `${error.param ?? ''} ${error.message}`, request.tools !== undefined);
    if (next !== null) parameters = next;
    const withoutTools = request.tools !== undefined && !parameters.tools;
    const again = next === null || withoutTools ? 'never' : 'at_once';
    const usage = { input: 0, output: 0, estimated: false };
    return { failure: 'provider', usage, again, detail: `the provider refused a parameter (${error.status})` };
  };

  return {
    model,
    correction,
    takesTools: () => parameters.tools,
    async complete(request, signal) {
      const stall = new AbortController();
      const both = AbortSignal.any([signal, stall.signal]);
      const heard = heardNothing();
      try {
        const question = { body: bodyOf(model, request, parameters), signal: both, stalled: () => stall.abort() };
        await ask(options, question, heard);
        if (both.aborted) throw new Error('aborted');
        return replyOf(request, heard);
      } catch (error) {
        const spent = usageOf(request, heard);
        if (stall.signal.aborted)
          return { failure: 'timeout', usage: spent, again: 'later', detail: 'no data received for 30s' };
        if (signal.aborted) return { failure: 'aborted', usage: spent, again: 'never', detail: 'request canceled' };
        if (error instanceof APIError && isRefusal(request, error)) return refusalOf(request, error);
        return failureOf(error, spent, clock.now());
      }
    },
  };
};
