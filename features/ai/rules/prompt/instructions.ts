import { PREDICATE_NAMES } from '#features/ai/rules/claims/statement.ts';

/** The instruction about claims for the model. */
export const claimsTask = (task: string, causes: readonly string[] | undefined): string => {
  const about =
    causes === undefined || causes.length === 0
      ? 'Name no cause.'
      : `Only ${causes.join(', ')} may be named as a cause.`;
  return (
    `TASK ${task} ${about} ` +
    'Answer {"claims":[{"subject","predicate","object","at","count","text","refs","certainty"}],"abstain","reason"}: at most 8 statements. ' +
    'Subject and object are names or aliases (E1), refs the 1 to 5 items that it stands on, certainty is fact, likely or possible. ' +
    `Predicates: ${PREDICATE_NAMES.join(', ')}. What none of them says may be a plain sentence in text, with an empty predicate. ` +
    'Ages, durations and differences are added for you. ' +
    'Set abstain when the evidence carries no answer.'
  );
};

/** Open decisions and the words to choose from; words of several decisions are listed once. */
export const choicesTask = (
  task: string,
  of: readonly { readonly ref: string; readonly among: readonly string[] }[],
): string => {
  const alike = Map.groupBy(of, ({ among }) => among.join(' | '));
  const lines = [...alike].map(([words, decisions]) => `${decisions.map(({ ref }) => ref).join(', ')}: ${words}`);
  const how = 'with one of the words of each item, and leave out what you cannot tell.';
  return [`TASK ${task} Answer {"choices":[{"ref","choice"}]} ${how}`, ...lines].join('\n');
};
