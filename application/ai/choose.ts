import type { Claim, EvidencePack } from '#domain/ai/evidence.ts';
import { choicesTask } from '#domain/ai/prompt/instructions.ts';
import { choicesOutput } from '#schemas/model/choices.ts';
import type { AiMode, Asking } from './answer.ts';
import { askModel, modelFault } from './ask.ts';

/** One decision: an item of the pack, and the words to choose from. */
export interface Decision {
  readonly ref: string;
  readonly among: readonly string[];
}

export interface Choosing {
  /** Label of usage records. */
  readonly service: string;
  readonly pack: EvidencePack;
  /** At most 40; further ones are not asked. */
  readonly of: readonly Decision[];
  /** What is to be decided; our own text. */
  readonly task: string;
  readonly mode: AiMode;
  readonly claims?: readonly Claim[];
  readonly isAutomatic?: true;
}

const MAX_DECISIONS = 40;
const NONE: ReadonlyMap<string, string> = new Map();

/**
 * Decisions of a model among given words, by ref; what it left out or invented is missing. Empty without a model, or when it fails and
 * the caller takes rules as well.
 */
export const choose = async (asking: Asking, choosing: Choosing): Promise<ReadonlyMap<string, string>> => {
  const { service, pack, task, mode, claims = [], isAutomatic = false } = choosing;
  const of = choosing.of.slice(0, MAX_DECISIONS);
  if (mode === 'rules' || of.length === 0) return NONE;
  const output = choicesOutput;
  const said = await askModel(asking, { service, pack, claims, task: choicesTask(task, of), output, isAutomatic });
  if (typeof said === 'string') {
    if (mode === 'model') throw modelFault(said);
    return NONE;
  }
  const among = new Map(of.map((one) => [one.ref, one.among]));
  return new Map(
    said.value.choices.flatMap(({ ref, choice }) => (among.get(ref)?.includes(choice) ? [[ref, choice] as const] : [])),
  );
};
