/** Parameters that a server accepts. Servers differ and say so by 400 only, so refused ones are not sent again. */
export interface Parameters {
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
export const firstParameters = (isVendor: boolean): Parameters => ({
  tokens: isVendor ? 'max_completion_tokens' : 'max_tokens',
  format: isVendor ? 'json_schema' : 'bounded',
  temperature: true,
  usage: true,
  stream: true,
  effort: true,
  tools: true,
});

type Step = (now: Parameters) => Parameters | null;

const otherName: Step = (now) => ({
  ...now,
  tokens: now.tokens === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens',
});
const lesserFormat: Step = (now) =>
  now.format === 'none' ? null : { ...now, format: now.format === 'json_object' ? 'none' : 'json_object' };
const withoutBounds: Step = (now) => (now.format === 'bounded' ? { ...now, format: 'json_schema' } : null);
const without =
  (name: 'temperature' | 'usage' | 'stream' | 'effort' | 'tools'): Step =>
  (now) =>
    now[name] ? { ...now, [name]: false } : null;

/** By the words of a refusal; the first that fits is tried. */
const NAMED: readonly (readonly [RegExp, Step])[] = [
  [/(max|min)(Length|Items)/, withoutBounds],
  [/reasoning_effort/i, without('effort')],
  [/max_(completion_)?tokens/i, otherName],
  [/response_format|json_schema|json_object|schema|grammar|structured/i, lesserFormat],
  [/temperature/i, without('temperature')],
  [/stream_options|include_usage/i, without('usage')],
  [/\bstream/i, without('stream')],
];
/** Where a refusal names nothing: what servers lack most often goes first. */
const UNNAMED: readonly Step[] = [
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
export const refusesTools = (refusal: string): boolean => OF_TOOLS.test(refusal);

/** The next request after a 400; null when nothing is left to change. `withTools`: the request offered some. */
export const lesser = (now: Parameters, refusal: string, withTools = false): Parameters | null => {
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
