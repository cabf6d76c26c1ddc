import { z } from 'zod';
import { tool } from '#api/surfaces/tool.ts';
import { percent } from '#domain/numbers.ts';
import { InvestigationBody } from '#features/investigations/schemas/investigation.ts';
import { investigateGroup } from './investigate.ts';

const Checked = z.object({ check: z.string(), text: z.string(), moved: z.number() });
const Shown = InvestigationBody.pick({
  groupId: true,
  text: true,
  conclusion: true,
  events: true,
  complete: true,
}).extend({
  hypotheses: z.array(z.object({ id: z.string(), text: z.string(), confidence: z.number(), checks: z.array(Checked) })),
});

const investigating = tool({
  name: 'investigate',
  title: 'Investigate a group',
  description:
    'Checks possible root causes of a group: candidates and nearby changes, each by history, changes, dependency path, siblings and earlier incidents. Rule-based. Returns the root cause, evidence against it, next steps, and the observation that would confirm or refute it.',
  endpoint: investigateGroup,
  input: z.strictObject({ group: z.string().min(1).max(64).describe('Group ID, COR-…') }),
  output: Shown,
  async run({ ask }, { group }) {
    const request = { params: { correlationId: group }, headers: { 'x-ai-mode': 'rules' } };
    const { body } = await ask(investigateGroup, request);
    return (body as { readonly investigation: unknown }).investigation;
  },
  tell: ({ conclusion, hypotheses }) =>
    [
      conclusion.text,
      ...conclusion.against.map((one) => `- Counterevidence: ${one}`),
      ...conclusion.next.map((one) => `- Next: ${one}`),
      ...(conclusion.settles === null ? [] : [`- Deciding observation: ${conclusion.settles}`]),
      ...(conclusion.knowableAt === null ? [] : [`- Earliest detection: ${conclusion.knowableAt}`]),
      ...hypotheses.flatMap(({ id, text, confidence, checks }) => [
        `- ${id} (${percent(confidence)}): ${text}`,
        ...checks.map(({ check, text: result }) => `  - ${check}: ${result}`),
      ]),
    ].join('\n'),
});

export const investigationTools = [investigating];
