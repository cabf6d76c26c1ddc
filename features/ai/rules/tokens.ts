/** Tokens per character by class, measured over texts of monitors; no tokenizer is the same for two vendors. */
const PER_LETTER = 1 / 5;
const PER_DIGIT = 1 / 2;
const PER_ASCII = 0.7;
const PER_OTHER = 1.1;
const MARGIN = 1.25;

/** Token limits of one request: system, pack, task and schema, output. */
export const MAX_REQUEST_TOKENS = 4_000;
export const MAX_SYSTEM_TOKENS = 350;
const MAX_PACK_TOKENS = 2_400;
export const MAX_OUTPUT_TOKENS = 1_000;

const MIN_CORRECTION = 0.8;
const MAX_CORRECTION = 2;

/** Our words about an answer that was of no use. */
const PROBLEM_TOKENS = 80;

const weightOf = (code: number): number => {
  if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) return PER_LETTER;
  if (code >= 48 && code <= 57) return PER_DIGIT;
  return code < 128 ? PER_ASCII : PER_OTHER;
};

/** Tokens of a text, rather too many than too few. Blanks between words cost nothing: they belong to the word behind them. */
export const estimateTokens = (text: string, correction = 1): number => {
  let sum = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== 32) sum += weightOf(code);
  }
  return Math.ceil(sum * MARGIN * correction);
};

/**
 * Returns the correction after a reply with the token count of the request: the highest ratio seen, 0.8 to 2. Null:
 * none was seen.
 */
export const correctedBy = (before: number | null, counted: number, estimated: number): number => {
  const ratio = Math.min(MAX_CORRECTION, Math.max(MIN_CORRECTION, counted / Math.max(1, estimated)));
  return before === null ? ratio : Math.max(before, ratio);
};

/** Tokens that are left for evidence beside the task and the schema of the answer; at most 2,400. */
export const roomForPack = (task: string, schema: object, correction: number): number => {
  const others = MAX_SYSTEM_TOKENS + MAX_OUTPUT_TOKENS + PROBLEM_TOKENS;
  const ours = estimateTokens(task, correction) + estimateTokens(JSON.stringify(schema), correction);
  return Math.max(0, Math.min(MAX_PACK_TOKENS, MAX_REQUEST_TOKENS - others - ours));
};
