import type { AnalysisReply } from '#cli/client/replies.ts';
import { degradedWords } from '#domain/ai/degraded.ts';
import { citationLines, marked } from './cited-texts.ts';

/** Width of the words before sentences. */
const WIDTH = 15;

const score = ({ anomalyScore, history }: AnalysisReply): string =>
  history === undefined ? anomalyScore.toFixed(2) : `${anomalyScore.toFixed(2)}. ${history.text}`;

const madeBy = ({ generatedBy, model, degraded }: AnalysisReply): string => {
  if (generatedBy !== 'rules') return `model ${model}`;
  const why = degradedWords(degraded);
  return why === null ? 'rules' : `rules: ${why}`;
};

/** Lines of which the first begins with a word. */
const under = (word: string, lines: readonly string[]): string[] =>
  lines.map((line, i) => `${(i === 0 ? `${word}:` : '').padEnd(WIDTH)}${line}`);

/** Anomaly, cause and advice; in brackets the citations of each sentence, which follow. */
export const analysisLines = (analysis: AnalysisReply): string[] => {
  const { rootCauseHypothesis, warnings = [], recommendedActions, refs, citations = [] } = analysis;
  const against = warnings.map((text, i) => marked(text, refs?.warnings?.[i]));
  const actions = recommendedActions.map((text, i) => `${i + 1}. ${marked(text, refs?.actions[i])}`);
  return [
    `Analysis by ${madeBy(analysis)}`,
    ...under('anomaly', [marked(score(analysis), refs?.history)]),
    ...under('hypothesis', [marked(rootCauseHypothesis, refs?.hypothesis)]),
    ...under('caveats', against),
    ...under('actions', actions),
    ...citationLines(citations, WIDTH),
  ];
};
