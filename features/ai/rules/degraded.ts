/** Why the rules answered although a model was wanted. */
export const DEGRADED = ['no_model', 'budget', 'busy', 'timeout', 'provider', 'invalid_output'] as const;
export type Degraded = (typeof DEGRADED)[number];
