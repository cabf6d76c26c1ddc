import { requirePermission } from '#application/access/require-permission.ts';
import { percent } from '#domain/numbers.ts';
import { freeText } from '#features/ai/rules/findings.ts';
import { INVESTIGATE_INPUT } from '#features/investigations/schemas/investigate-input.ts';
import { investigationBody } from '#features/investigations/schemas/investigation.ts';
import type { ParamsOf } from '#features/questions/schemas/tool-input.ts';
import { CONFIDENCE } from '#features/questions/use-cases/tools/kinds/incidents.ts';
import type { QuestionTool } from '#features/questions/use-cases/tools/tool.ts';
import { begin } from './first-sentence.ts';
import { investigate, wholeInvestigation } from './investigate.ts';

type Investigated = ReturnType<typeof investigationBody>;
type InvestigationRow = Pick<Investigated, 'groupId' | 'text' | 'conclusion' | 'events' | 'complete'> & {
  readonly hypotheses: readonly (Pick<Investigated['hypotheses'][number], 'id' | 'text' | 'confidence' | 'eventId'> & {
    readonly checks: readonly Pick<Investigated['hypotheses'][number]['checks'][number], 'check' | 'text' | 'moved'>[];
  })[];
};

const rowOf = ({ groupId, text, conclusion, events, complete, hypotheses }: Investigated): InvestigationRow => ({
  groupId,
  text,
  conclusion,
  events,
  complete,
  hypotheses: hypotheses.map(({ id, text: named, confidence, eventId, checks }) => ({
    id,
    text: named,
    confidence,
    eventId,
    checks: checks.map(({ check, text: result, moved }) => ({ check, text: result, moved })),
  })),
});

/** Rules alone choose the checks: the caller may be a model already. */
export const investigateTool: QuestionTool<ParamsOf<typeof INVESTIGATE_INPUT>, InvestigationRow> = {
  name: 'investigate',
  title: 'Investigate a group',
  description:
    'Checks possible root causes of a group: candidates and nearby changes, each by history, changes, dependency path, siblings and earlier incidents. Rule-based. Returns the root cause, evidence against it, next steps, and the observation that would confirm or refute it.',
  input: INVESTIGATE_INPUT,
  permission: 'events.read',
  async run(asking, { group }) {
    requirePermission(asking, 'cmdb.read');
    const byRules = { ...asking, mode: 'rules' as const };
    const found = await wholeInvestigation(investigate(byRules, await begin(byRules, group)));
    return { rows: [rowOf(investigationBody(found))], total: 1 };
  },
  items: ({ groupId, conclusion, hypotheses }) => [
    {
      kind: 'group',
      id: groupId,
      label: groupId,
      facts: [
        freeText('conclusion', conclusion.text),
        ...conclusion.against.map((one) => freeText('against it', one)),
        ...conclusion.next.map((one) => freeText('next step', one)),
      ],
    },
    ...hypotheses.flatMap(({ id, text, eventId, confidence, checks }) =>
      eventId === null
        ? []
        : [
            {
              kind: 'event' as const,
              id: eventId,
              label: text,
              facts: [
                // Only the concluded one may be named as the root cause.
                ...(id === conclusion.cause ? [{ name: CONFIDENCE, value: Math.round(confidence * 100) }] : []),
                ...checks.map((made) => freeText(made.check, made.text)),
              ],
            },
          ],
    ),
  ],
  noun: 'investigation',
  tell: ({ conclusion: { text } }) => text,
  more: ({ conclusion, hypotheses }) => [
    ...conclusion.against.map((one) => `Counterevidence: ${one}`),
    ...conclusion.next.map((one) => `Next: ${one}`),
    ...(conclusion.settles === null ? [] : [`Deciding observation: ${conclusion.settles}`]),
    ...(conclusion.knowableAt === null ? [] : [`Earliest detection: ${conclusion.knowableAt}`]),
    ...hypotheses.flatMap(({ id, text, confidence, checks }) => [
      `${id} (${percent(confidence)}): ${text}`,
      ...checks.map(({ check, text: result }) => `${id} ${check}: ${result}`),
    ]),
  ],
  none: 'No investigation.',
};
