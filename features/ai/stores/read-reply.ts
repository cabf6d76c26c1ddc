import type OpenAI from 'openai';

/** Maximum characters of an answer; a longer one is cut, and is no JSON. */
const MAX_TEXT = 32_000;
/** Maximum of calls of one reply, and characters of their names and arguments; longer ones are cut, and are no JSON. */
const MAX_CALLS = 16;
const MAX_NAME = 100;
const MAX_ARGUMENTS = 4_000;

type ReplyChunk = OpenAI.ChatCompletionChunk;
type Whole = OpenAI.ChatCompletion;

/** The part of a reply received so far. */
export interface ReplySoFar {
  text: string;
  refusal: boolean;
  /** Calls by their index; arguments arrive piece by piece. */
  calls: Map<number, { name: string; arguments: string }>;
  finish: string | null;
  usage: { readonly input: number; readonly output: number } | null;
}
export const heardNothing = (): ReplySoFar => ({
  text: '',
  refusal: false,
  calls: new Map(),
  finish: null,
  usage: null,
});

const usageOf = (usage: unknown): ReplySoFar['usage'] => {
  const { prompt_tokens: input, completion_tokens: output } = (usage ?? {}) as Record<string, unknown>;
  return Number.isSafeInteger(input) && Number.isSafeInteger(output)
    ? { input: input as number, output: output as number }
    : null;
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Servers that send whole calls leave out their place. */
const hearCall = ({ calls }: ReplySoFar, at: number, call: unknown): void => {
  if (!isObject(call)) return;
  const place = Number.isSafeInteger(call.index) ? (call.index as number) : at;
  if (calls.size >= MAX_CALLS && !calls.has(place)) return;
  const known = calls.get(place) ?? { name: '', arguments: '' };
  const said = isObject(call.function) ? call.function : {};
  calls.set(place, {
    name: (known.name + textOf(said.name)).slice(0, MAX_NAME),
    arguments: (known.arguments + textOf(said.arguments)).slice(0, MAX_ARGUMENTS),
  });
};
/** Some servers send arguments as the object itself. */
const textOf = (said: unknown): string =>
  typeof said === 'string' ? said : isObject(said) ? JSON.stringify(said) : '';

const hear = (heard: ReplySoFar, said: Partial<ReplyChunk['choices'][0]['delta']>): void => {
  if (typeof said.content === 'string') heard.text += said.content;
  if (typeof said.refusal === 'string' && said.refusal !== '') heard.refusal = true;
  if (Array.isArray(said.tool_calls)) for (const [at, call] of said.tool_calls.entries()) hearCall(heard, at, call);
};

/** Adds the parts of the stream; a stream that ends without a finish reason was cut. */
export const hearStream = async (stream: AsyncIterable<ReplyChunk>, heard: ReplySoFar): Promise<void> => {
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

const isWhole = (value: unknown): value is Whole => isObject(value) && Array.isArray(value.choices);

/** The same of a reply in one piece; throws when it is of another shape. */
export const hearWhole = (whole: unknown, heard: ReplySoFar): void => {
  const choice = isWhole(whole) ? whole.choices[0] : undefined;
  if (!isWhole(whole) || !isObject(choice) || !isObject(choice.message)) throw new Error('the reply has no choice');
  heard.usage = usageOf(whole.usage);
  heard.finish = typeof choice.finish_reason === 'string' ? choice.finish_reason : 'stop';
  hear(heard, choice.message as Partial<ReplyChunk['choices'][0]['delta']>);
  heard.text = heard.text.slice(0, MAX_TEXT);
};
