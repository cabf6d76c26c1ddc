import type OpenAI from 'openai';

/** Characters of an answer; what is longer is cut off, and is no JSON. */
const MAX_TEXT = 32_000;

type Chunk = OpenAI.ChatCompletionChunk;
type Whole = OpenAI.ChatCompletion;

/** What a reply has brought so far. */
export interface Heard {
  text: string;
  refusal: boolean;
  wantsTools: boolean;
  finish: string | null;
  usage: { readonly input: number; readonly output: number } | null;
}
export const heardNothing = (): Heard => ({ text: '', refusal: false, wantsTools: false, finish: null, usage: null });

const usageOf = (usage: unknown): Heard['usage'] => {
  const { prompt_tokens: input, completion_tokens: output } = (usage ?? {}) as Record<string, unknown>;
  return Number.isSafeInteger(input) && Number.isSafeInteger(output)
    ? { input: input as number, output: output as number }
    : null;
};

const hear = (heard: Heard, said: Partial<Chunk['choices'][0]['delta']>): void => {
  if (typeof said.content === 'string') heard.text += said.content;
  if (typeof said.refusal === 'string' && said.refusal !== '') heard.refusal = true;
  if (Array.isArray(said.tool_calls) && said.tool_calls.length > 0) heard.wantsTools = true;
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Adds what the stream brings; a stream that ends without a reason to finish was cut. */
export const hearStream = async (stream: AsyncIterable<Chunk>, heard: Heard): Promise<void> => {
  for await (const chunk of stream) {
    if (!isObject(chunk)) continue;
    heard.usage = usageOf(chunk.usage) ?? heard.usage;
    const choice = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
    if (isObject(choice?.delta)) hear(heard, choice.delta);
    if (typeof choice?.finish_reason === 'string') heard.finish = choice.finish_reason;
    if (heard.text.length > MAX_TEXT) {
      heard.finish = 'length';
      return;
    }
  }
};

/** The same of a reply in one piece; throws when it is of another shape. */
export const hearWhole = (whole: unknown, heard: Heard): void => {
  const choice = isObject(whole) && Array.isArray(whole.choices) ? (whole as unknown as Whole).choices[0] : undefined;
  if (!isObject(choice) || !isObject(choice.message)) throw new Error('the reply has no choice');
  heard.usage = usageOf((whole as unknown as Whole).usage);
  heard.finish = typeof choice.finish_reason === 'string' ? choice.finish_reason : 'stop';
  hear(heard, choice.message as Partial<Chunk['choices'][0]['delta']>);
  heard.text = heard.text.slice(0, MAX_TEXT);
};
