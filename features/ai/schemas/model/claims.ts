import { z } from 'zod';
import { CERTAINTIES, MAX_CLAIM_TEXT, MAX_CLAIMS, MAX_REFS } from '#domain/ai/evidence.ts';
import { modelOutput } from './model-output.ts';

const ClaimsOutput = z.strictObject({
  claims: z
    .array(
      z.strictObject({
        text: z.string().min(1).max(MAX_CLAIM_TEXT),
        refs: z.array(z.string().max(8)).min(1).max(MAX_REFS),
        certainty: z.enum(CERTAINTIES),
      }),
    )
    .max(MAX_CLAIMS),
  abstain: z.boolean(),
  reason: z.string().max(MAX_CLAIM_TEXT),
});

/** Sentences with their evidence. */
export const claimsOutput = modelOutput('claims', ClaimsOutput);
