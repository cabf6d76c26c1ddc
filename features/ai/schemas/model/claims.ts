import { z } from 'zod';
import { CERTAINTIES, MAX_CLAIM_TEXT, MAX_CLAIMS, MAX_REFS } from '#domain/ai/evidence.ts';
import { modelOutput } from './model-output.ts';

const word = z.string().max(MAX_CLAIM_TEXT);
const Claim = z.strictObject({
  subject: word,
  predicate: word,
  object: word,
  at: word,
  count: z.number().nullable(),
  /** A sentence in place of a statement. */
  text: word,
  refs: z.array(z.string().max(8)).min(1).max(MAX_REFS),
  certainty: z.enum(CERTAINTIES),
});
const outputOf = <T extends z.ZodType>(claim: T) =>
  z.strictObject({ claims: z.array(claim).max(MAX_CLAIMS), abstain: z.boolean(), reason: word });

/** Statements, or sentences that are read as such, with their evidence. Models omit fields without a value. */
export const claimsOutput = modelOutput(
  'claims',
  outputOf(Claim.partial().required({ refs: true, certainty: true })),
  outputOf(Claim),
);
