import { z } from 'zod';
import { DEGRADED } from '#domain/ai/degraded.ts';
import { CITATION_KINDS, type Claim } from '#domain/ai/evidence.ts';
import { invalid } from '#domain/fault.ts';
import { AI_MODES } from '#features/ai/rules/mode.ts';
import { ClaimBody, claimBody } from '#schemas/http/claims.ts';

const Citation = z
  .object({
    ref: z.string().meta({ description: 'Alias used in `refs`' }),
    kind: z.enum(CITATION_KINDS),
    id: z.string(),
    label: z.string(),
    href: z.string().meta({ description: 'Relative link' }),
  })
  .meta({ id: 'Citation' });

/** Common fields of AI replies, to be spread into their schemas. */
export const evidenceFields = {
  generatedBy: z.enum(['rules', 'model']),
  model: z.string().nullable(),
  abstained: z.boolean().meta({ description: 'No root cause identified (confidence below `abstainBelow`)' }),
  degraded: z.enum(DEGRADED).nullable().meta({ description: 'Why the rule-based fallback was used' }),
  claims: z
    .array(ClaimBody)
    .meta({ description: 'Answer sentences with citations. Empty for records stored before this field existed' }),
  citations: z.array(Citation).meta({ description: 'Evidence cited by the answer' }),
  notes: z
    .array(z.string())
    .optional()
    .meta({ description: 'Sentences of a model that are not proven: show them as its notes, never as facts' }),
};
const EvidenceBody = z.object(evidenceFields);

/** Grounds as they leave. */
export const evidenceBody = ({
  generatedBy,
  model,
  abstained,
  degraded,
  claims = [],
  citations,
  notes,
}: Readonly<Omit<z.output<typeof EvidenceBody>, 'claims' | 'citations' | 'notes'>> & {
  readonly claims?: readonly Claim[];
  readonly citations: readonly z.output<typeof Citation>[];
  readonly notes?: readonly string[] | undefined;
}): z.output<typeof EvidenceBody> => ({
  generatedBy,
  model,
  abstained,
  degraded,
  claims: claims.map(claimBody),
  citations: citations.map(({ ref, kind, id, label, href }) => ({ ref, kind, id, label, href })),
  ...(notes !== undefined && notes.length > 0 && { notes: [...notes] }),
});

/** Header for the documents. */
export const AiModeHeader = {
  'X-AI-Mode': z.enum(AI_MODES).optional().meta({
    description: 'rules: never use a model; model: fail if no model answers; auto (default): fall back to rules',
  }),
};

/** Header `X-AI-Mode`. Throws Fault `invalid` for a word that is none. */
export const aiMode = (headers: Readonly<Record<string, string | undefined>>): (typeof AI_MODES)[number] => {
  const said = headers['x-ai-mode'] ?? 'auto';
  const mode = AI_MODES.find((one) => one === said);
  if (mode === undefined) throw invalid('X-AI-Mode', `expected one of ${AI_MODES.join(', ')}`);
  return mode;
};
