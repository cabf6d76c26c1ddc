import { z } from 'zod';
import { modelOutput } from './model-output.ts';

const ChoicesOutput = z.strictObject({
  choices: z.array(z.strictObject({ ref: z.string().max(8), choice: z.string().max(64) })).max(40),
});

/** Decisions among given words. */
export const choicesOutput = modelOutput('choices', ChoicesOutput);
