import OpenAI, { BadRequestError, UnprocessableEntityError } from 'openai';
import type { ModelReply, ModelRequest, TokenUsage } from '#domain/ai/model.ts';
import type { ModelProvider } from '#domain/ports/model/model-provider.ts';
import { correctedBy, estimateTokens } from '#features/ai/rules/tokens.ts';
import { failureOf } from './failures.ts';
import type { ProviderOptions } from './open-provider.ts';
import { watchedFetch } from './watched-fetch.ts';

const STALL_MS = 30_000;
/** Longer than any request of ours: our own signals end it. */
const NEVER_MS = 600_000;
/** Servers that ignore the parameter send more, of which the first are used. */
const DIMENSIONS = 256;

const isVector = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'number' && Number.isFinite(one));

/** Returns a vector of length 1, so that a product of two is their similarity. Null for one without length. */
const unit = (vector: readonly number[]): number[] | null => {
  const kept = vector.slice(0, DIMENSIONS);
  const length = Math.hypot(...kept);
  return length > 0 ? kept.map((one) => Math.round((one / length) * 1e6) / 1e6) : null;
};

interface Sent {
  readonly data?: readonly { readonly index?: number; readonly embedding?: unknown }[];
  readonly usage?: { readonly prompt_tokens?: number };
}

/** The vectors in the order of the texts; null when the reply is of another shape. */
function vectorsIn({ data }: Sent, count: number): number[][] | null {
  if (!Array.isArray(data) || data.length !== count) return null;
  const vectors = new Array<number[] | null>(count).fill(null);
  for (const [place, { index = place, embedding }] of data.entries())
    if (Number.isInteger(index) && index >= 0 && index < count && isVector(embedding)) vectors[index] = unit(embedding);
  const size = vectors[0]?.length;
  return vectors.every((vector) => vector !== null && vector.length === size) ? (vectors as number[][]) : null;
}

/**
 * A model behind the embeddings interface, as a provider: `user` of a request is a JSON list of texts, the reply's text a JSON list of
 * vectors. So it is limited, metered and budgeted as others are.
 */
export const openEmbeddings = ({ apiKey, baseUrl, model, clock, after }: ProviderOptions): ModelProvider => {
  let takesDimensions = true;
  let ratio: number | null = null;
  const correction = (): number => ratio ?? 1;

  const ask = async (texts: readonly string[], signal: AbortSignal, stalled: () => void): Promise<Sent> => {
    const client = new OpenAI({
      apiKey: apiKey ?? 'none',
      ...(baseUrl !== null && { baseURL: baseUrl }),
      maxRetries: 0,
      timeout: NEVER_MS,
      logLevel: 'off',
      organization: null,
      project: null,
      fetch: watchedFetch(globalThis.fetch, { after, ms: STALL_MS, stalled }),
    });
    const body = {
      model,
      input: [...texts],
      encoding_format: 'float' as const,
      ...(takesDimensions && { dimensions: DIMENSIONS }),
    };
    const response = await client.embeddings.create(body, { signal }).asResponse();
    return JSON.parse(await response.text()) as Sent;
  };

  const usageOf = ({ user }: ModelRequest, sent: Sent | null): TokenUsage => {
    const counted = sent?.usage?.prompt_tokens;
    if (typeof counted !== 'number' || !(counted >= 0))
      return { input: estimateTokens(user, correction()), output: 0, estimated: true };
    ratio = correctedBy(ratio, counted, estimateTokens(user));
    return { input: counted, output: 0, estimated: false };
  };

  const refusalOf = (error: BadRequestError | UnprocessableEntityError): ModelReply => {
    const isDimensions = takesDimensions && /dimension|matryoshka/i.test(`${error.param ?? ''} ${error.message}`);
    if (isDimensions) takesDimensions = false;
    const usage = { input: 0, output: 0, estimated: false };
    const detail = `the provider refused a parameter (${error.status})`;
    return { failure: 'provider', usage, again: isDimensions ? 'at_once' : 'never', detail };
  };

  return {
    model,
    correction,
    takesTools: () => false,
    async complete(request, signal) {
      const stall = new AbortController();
      const texts = JSON.parse(request.user) as string[];
      try {
        const sent = await ask(texts, AbortSignal.any([signal, stall.signal]), () => stall.abort());
        const usage = usageOf(request, sent);
        const vectors = vectorsIn(sent, texts.length);
        if (vectors !== null) return { text: JSON.stringify(vectors), usage };
        return {
          failure: 'invalid_output',
          usage,
          again: 'later',
          detail: 'the response has no vectors for the texts',
        };
      } catch (error) {
        const usage = usageOf(request, null);
        if (stall.signal.aborted)
          return { failure: 'timeout', usage, again: 'later', detail: 'no data received for 30s' };
        if (signal.aborted) return { failure: 'aborted', usage, again: 'never', detail: 'request canceled' };
        if (error instanceof BadRequestError || error instanceof UnprocessableEntityError) return refusalOf(error);
        return failureOf(error, usage, clock.now());
      }
    },
  };
};
