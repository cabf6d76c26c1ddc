import type { AnalysisReply } from '#infra/cli/client/replies.ts';
import { clip } from '#infra/cli/terminal/screen.ts';

const marked = (text: string, refs: readonly string[] = []): string =>
  refs.length === 0 ? text : `${text} [${refs.join(', ')}]`;

const score = ({ anomalyScore, history }: AnalysisReply): string =>
  history === undefined ? anomalyScore.toFixed(2) : `${anomalyScore.toFixed(2)}. ${history.text}`;

const madeBy = ({ generatedBy, model }: AnalysisReply): string =>
  generatedBy === 'rules' ? 'rules' : `model ${model}`;

/** What is unusual, why it happened and what to do; in brackets what each sentence stands on, which follows. */
export const analysisLines = (analysis: AnalysisReply): string[] => {
  const { rootCauseHypothesis, recommendedActions, refs, citations = [] } = analysis;
  return [
    `Analysis by ${madeBy(analysis)}`,
    `unusual:       ${marked(score(analysis), refs?.history)}`,
    `cause:         ${marked(rootCauseHypothesis, refs?.hypothesis)}`,
    ...recommendedActions.map(
      (text, i) => `${i === 0 ? 'to do:  ' : '        '}       ${i + 1}. ${marked(text, refs?.actions[i])}`,
    ),
    ...citations.map(
      ({ ref, kind, label, href }, i) =>
        `${i === 0 ? 'from:   ' : '        '}       ${ref} ${kind} "${clip(label, 60)}" ${href}`,
    ),
  ];
};
