/** Reasons for an answer by rules although a model was requested. */
export const DEGRADED = ['no_model', 'budget', 'busy', 'timeout', 'provider', 'invalid_output'] as const;
export type Degraded = (typeof DEGRADED)[number];
