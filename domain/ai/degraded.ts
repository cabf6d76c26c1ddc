/** Reasons for an answer by rules although a model was requested. */
export const DEGRADED = ['no_model', 'budget', 'busy', 'timeout', 'provider', 'invalid_output'] as const;
export type Degraded = (typeof DEGRADED)[number];

const WHY: Readonly<Record<string, string>> = {
  budget: 'the AI budget is used up',
  busy: 'the model is busy',
  timeout: 'the model did not answer in time',
  provider: 'the model provider failed',
  invalid_output: 'no statement of the model was proven',
} satisfies Record<Exclude<Degraded, 'no_model'>, string>;

/** The reason in words; null: no model was to answer. A reason of a later version is its own word. */
export const degradedWords = (degraded: string | null | undefined): string | null =>
  degraded == null || degraded === 'no_model' ? null : (WHY[degraded] ?? degraded);

/** The reason as a sentence for the end of an answer. */
export const saidDegraded = (degraded: Degraded | null): string | null => {
  const why = degradedWords(degraded);
  return why === null ? null : `Answered by rules: ${why}.`;
};
