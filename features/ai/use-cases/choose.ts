import type { Degraded } from '#domain/ai/degraded.ts';
import type { Claim, EvidencePack } from '#domain/ai/evidence.ts';
import { choicesTask } from '#features/ai/rules/prompt/instructions.ts';
import { choicesOutput } from '#features/ai/schemas/model/choices.ts';
import type { AiCaller, AiMode, AnswerEvidence } from './answer.ts';
import { askModel, modelFault } from './ask.ts';

/** One decision: an item of the pack, and the words to choose from. */
interface Decision {
  readonly ref: string;
  readonly among: readonly string[];
}

export interface Choosing {
  /** Label of usage records. */
  readonly service: string;
  readonly pack: EvidencePack;
  /** Decisions, at most 40; further ones are not asked. */
  readonly of: readonly Decision[];
  /** The choice to be made; our own text. */
  readonly task: string;
  readonly mode: AiMode;
  readonly claims?: readonly Claim[];
  readonly isAutomatic?: true;
}

const MAX_DECISIONS = 40;

/** Decisions by ref; omitted or invented ones are missing. */
export interface ModelChoice {
  readonly choices: ReadonlyMap<string, string>;
  /** Null when no model has chosen. */
  readonly model: string | null;
  /** Reason why no model has chosen although the caller requested it. */
  readonly degraded: Degraded | null;
}
const none = (degraded: Degraded | null): ModelChoice => ({ choices: new Map(), model: null, degraded });

/** Decisions of a model among given words. Throws the Faults of `answer` when the caller wants a model and nothing else. */
export const choose = async (asking: AiCaller, choosing: Choosing): Promise<ModelChoice> => {
  const { service, pack, task, mode, claims = [], isAutomatic = false } = choosing;
  const of = choosing.of.slice(0, MAX_DECISIONS);
  if (mode === 'rules' || of.length === 0) return none(null);
  const output = choicesOutput;
  const said = await askModel(asking, { service, pack, claims, task: choicesTask(task, of), output, isAutomatic });
  if (typeof said === 'string') {
    if (mode === 'model') throw modelFault(said);
    return none(said);
  }
  const among = new Map(of.map((one) => [one.ref, one.among]));
  const sound = said.value.choices.filter(({ ref, choice }) => among.get(ref)?.includes(choice));
  return { choices: new Map(sound.map(({ ref, choice }) => [ref, choice])), model: said.model, degraded: null };
};

/**
 * Returns the evidence of an answer that rules have worded after a model was asked to choose: the reply names the
 * chooser. Null: none was asked.
 */
export const evidenceWith = (chosen: ModelChoice | null, grounds: AnswerEvidence): AnswerEvidence => {
  if (chosen === null) return grounds;
  const { model, degraded } = chosen;
  return { ...grounds, generatedBy: model === null ? 'rules' : 'model', model, degraded };
};
