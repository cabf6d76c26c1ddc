import { z } from 'zod';
import { CITATION_KINDS, type Claim } from '#domain/ai/evidence.ts';
import { invalid } from '#domain/fault.ts';
import { DEGRADED } from '#features/ai/rules/degraded.ts';
import { AI_MODES } from '#features/ai/rules/mode.ts';
import { ClaimBody, claimBody } from '#schemas/http/claims.ts';

const Citation = z
  .object({
    ref: z.string().meta({ description: 'Alias by which sentences name it' }),
    kind: z.enum(CITATION_KINDS),
    id: z.string(),
    label: z.string(),
    href: z.string().meta({ description: 'Relative link' }),
  })
  .meta({ id: 'Citation' });

/** Common fields of AI replies, to be spread into their schemas. */
export const groundsFields = {
  generatedBy: z.enum(['rules', 'model']),
  model: z.string().nullable(),
  abstained: z.boolean().meta({ description: 'No cause could be named' }),
  degraded: z.enum(DEGRADED).nullable().meta({ description: 'Why the rules answered where a model was meant to' }),
  claims: z
    .array(ClaimBody)
    .meta({ description: 'The sentences of the answer one by one; none in what was kept before they were' }),
  citations: z.array(Citation).meta({ description: 'The evidence that the answer stands on' }),
};
const GroundsBody = z.object(groundsFields);

/** Grounds as they leave. */
export const groundsBody = ({
  generatedBy,
  model,
  abstained,
  degraded,
  claims = [],
  citations,
}: Readonly<Omit<z.output<typeof GroundsBody>, 'claims' | 'citations'>> & {
  readonly claims?: readonly Claim[];
  readonly citations: readonly z.output<typeof Citation>[];
}): z.output<typeof GroundsBody> => ({
  generatedBy,
  model,
  abstained,
  degraded,
  claims: claims.map(claimBody),
  citations: citations.map(({ ref, kind, id, label, href }) => ({ ref, kind, id, label, href })),
});

/** Header `X-AI-Mode`. Throws Fault `invalid` for a word that is none. */
export const aiMode = (headers: Readonly<Record<string, string | undefined>>): (typeof AI_MODES)[number] => {
  const said = headers['x-ai-mode'] ?? 'auto';
  const mode = AI_MODES.find((one) => one === said);
  if (mode === undefined) throw invalid('X-AI-Mode', `expected one of ${AI_MODES.join(', ')}`);
  return mode;
};
