import { INTENT_PARTS } from '#features/questions/rules/asking/intents.ts';
import { PLAIN } from '#features/questions/rules/asking/plain-words.ts';
import { speaksOf } from '#features/questions/rules/asking/speaks-of.ts';
import { VOCABULARY } from '#features/questions/rules/grammar/words.ts';
import { type NumberRow, query } from '#features/questions/use-cases/tools/kinds/estate.ts';
import type { ToolRun } from '#features/questions/use-cases/tools/tool.ts';
import type { Desk } from '../desk.ts';
import type { Thing } from '../things.ts';
import { fieldAsked } from './ci-answers.ts';

/** Parts of the message that are neither in the sentences of the answer nor in the conditions of its calls. */
interface Unspoken {
  readonly things: readonly Thing[];
  /** Words for nothing that is known here. */
  readonly strange: readonly string[];
  /** Words of titles. */
  readonly topic: readonly string[];
}

/** Conditions of a call; a number has those of the question. */
const conditionsOf = ({ tool, params, rows }: ToolRun): object => {
  const { question: _question, ...others } = params;
  const [row] = tool.name === query.name ? (rows as readonly NumberRow[]) : [];
  return { ...others, filters: row?.result.query.filters };
};

export function unspoken({ reading, findings, lead, runs, applied }: Desk): Unspoken {
  const text = [...lead, ...findings.claims.map(({ text: said }) => said)].join(' ').toLowerCase();
  const asked = JSON.stringify(runs.map(conditionsOf)).toLowerCase();
  const has = (name: string): boolean => text.includes(name.toLowerCase()) || asked.includes(name.toLowerCase());
  const isTold = ({ name, said, id, cis }: Thing): boolean =>
    [name, said, ...(id === null ? [] : [id])].some(has) || cis.some((ci) => has(ci.id) || has(ci.name));
  const isLeft = (word: string): boolean =>
    !(
      has(word) ||
      fieldAsked(word) !== null ||
      PLAIN.has(word) ||
      INTENT_PARTS.has(word) ||
      VOCABULARY.spellings.has(word)
    ) && speaksOf(text, [word]) === 0;
  return {
    things: reading.things.filter((one) => one.kind !== 'type' && !applied.has(one) && !isTold(one)),
    strange: reading.strange.filter(isLeft),
    topic: reading.topic.filter(isLeft),
  };
}
