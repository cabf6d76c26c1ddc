import { type ExplainedPair, explainPair } from '#application/events/explain-pair.ts';
import { factsOf } from '#features/ai/rules/findings.ts';
import { INPUTS, type ParamsOf } from '#features/questions/schemas/tool-input.ts';
import { item, type QuestionTool } from '#features/questions/use-cases/tools/tool.ts';

type PairRow = Omit<ExplainedPair, 'strategies'> & {
  readonly strategies: readonly Omit<ExplainedPair['strategies'][number], 'inputs' | 'literalScore' | 'factor'>[];
};

export const pair: QuestionTool<ParamsOf<typeof INPUTS.pair>, PairRow> = {
  name: 'explain',
  title: 'Explain two events',
  description:
    'Explains why two events are or are not in one group: the score of each correlation strategy and the rule that blocked the link.',
  input: INPUTS.pair,
  permission: 'events.read',
  async run(asking, { event, other }) {
    const { strategies, ...found } = await explainPair(asking, event, other);
    const shown = strategies.map(({ inputs, literalScore, factor, ...one }) => one);
    return { rows: [{ ...found, strategies: shown }], total: 1 };
  },
  items: ({ events, together, correlationId, strategies }) => {
    const group = factsOf({ 'in one group': together ? 'yes' : 'no', group: correlationId });
    const scores = strategies.map(({ strategy, score }) => [`score of ${strategy}`, Number(score.toFixed(2))]);
    return events.map((id) => item('event', id, id, group, factsOf(Object.fromEntries(scores))));
  },
  noun: 'explanation',
  tell: ({ together, correlationId, manual }) =>
    together
      ? `Both events are in group ${correlationId}${manual ? ', merged manually' : ''}.`
      : 'The events are not in one group.',
  more: ({ refusedReason, notCompared, strategies, usual }) => [
    ...(refusedReason === null ? [] : [`Blocked: ${refusedReason}`]),
    ...(notCompared === null ? [] : [`Not compared: ${notCompared.reason}`]),
    ...strategies.map(
      ({ strategy, score, threshold, joined, reason }) =>
        `${strategy}: score ${score.toFixed(2)}, threshold ${threshold.toFixed(2)}, ${joined ? 'joins' : 'does not join'}; ${reason}`,
    ),
    ...usual.map(({ eventId, reason }) => `Recurring: ${eventId}, ${reason}`),
  ],
  none: 'No events found.',
};
