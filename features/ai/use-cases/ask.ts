import type { Degraded } from '#domain/ai/degraded.ts';
import type { Claim, EvidencePack } from '#domain/ai/evidence.ts';
import type { ModelFailure, ModelRequest } from '#domain/ai/model.ts';
import { Fault, type FaultKind } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { unmarked } from '#features/ai/rules/prompt/clean.ts';
import { shownPack, systemText, trimmedPack } from '#features/ai/rules/prompt/prompt.ts';
import { NO_PSEUDONYMS } from '#features/ai/rules/prompt/pseudonyms.ts';
import { type AskedQuestion, shownQuestion } from '#features/ai/rules/prompt/question.ts';
import { MAX_OUTPUT_TOKENS, roomForPack } from '#features/ai/rules/tokens.ts';
import type { ModelOutput } from '#features/ai/schemas/model/model-output.ts';
import { wordingFor } from './wording.ts';

/** The caller, and its ports; a handler's context is one. */
export interface ModelAsking {
  readonly tenant: string;
  readonly ports: Ports;
  readonly department: string | null;
  readonly requestId: string | null;
  readonly signal: AbortSignal;
}

/** The task of a model. */
interface ModelTask<T> {
  readonly service: string;
  readonly pack: EvidencePack;
  /** Findings of the rules. */
  readonly claims: readonly Claim[];
  /** Our own words. */
  readonly task: string;
  readonly output: ModelOutput<T>;
  readonly isAutomatic: boolean;
  readonly maxCost?: number | undefined;
  /** Shown before the evidence. */
  readonly question?: AskedQuestion | undefined;
  /** Time limit of all attempts, ms; absent: 15 s, or 120 s of automatic work. */
  readonly leftMs?: number | undefined;
}

interface ModelAnswer<T> {
  readonly value: T;
  readonly model: string;
  /** The shown text, which claims may quote. */
  readonly pack: EvidencePack;
  /** Puts host names and addresses in the place of their pseudonyms. */
  readonly reveal: (text: string) => string;
}

/** Limit of all attempts, ms: if a caller waits, and for automatic work. */
export const AWAITED_MS = 15_000;
const AUTOMATIC_MS = 120_000;
/** A request that ends earlier still answers by its rules. */
export const TO_ANSWER_MS = 1_000;
export const LONGEST_CANARY = 10;

/** The effect of a failure of the provider on the answer. */
export const DEGRADED_BY: Readonly<Record<ModelFailure, Degraded>> = {
  invalid_output: 'invalid_output',
  refused: 'provider',
  rate_limited: 'provider',
  provider: 'provider',
  timeout: 'timeout',
  aborted: 'timeout',
  busy: 'busy',
  budget: 'budget',
};

/** Returns the reason in the form of replies. */
export const degradedBy = (failure: ModelFailure): Degraded => DEGRADED_BY[failure];

const refusedWish = (kind: FaultKind, message: string): Fault => new Fault(kind, message, [], { isWish: true });

/** Faults of a caller who accepts a model alone. */
export const modelFault = (degraded: Degraded): Fault => {
  if (degraded === 'no_model') return refusedWish('unavailable', 'No model is configured (OPENAI_MODEL)');
  if (degraded === 'budget') return refusedWish('rate-limited', 'AI budget exhausted (see GET /api/monitoring/ai)');
  return refusedWish('model', `The model returned no verifiable answer (${degraded})`);
};

/**
 * Asks the model once, with all its attempts. Only the shape of its answer is checked: the caller checks the content.
 */
export const askModel = async <T>(asking: ModelAsking, asked: ModelTask<T>): Promise<ModelAnswer<T> | Degraded> => {
  const { ports, tenant, department, requestId, signal } = asking;
  const { model, clock, crypto, ids, deadline } = ports;
  if (model === null) return 'no_model';
  const { service, claims, output, isAutomatic, maxCost, question } = asked;
  const most = isAutomatic ? AUTOMATIC_MS : AWAITED_MS;
  const trimmed = trimmedPack(asked.pack);
  const words = await wordingFor(asking, trimmed, question, model);
  const task = question === undefined ? asked.task : `${asked.task}\n${shownQuestion(question, words)}`;
  const wording = { ...words, room: roomForPack(task, output.json, words.correction) };
  const { pack, text } = shownPack(trimmed, claims, wording);
  const canary = ids.secret(LONGEST_CANARY);
  const read = (reply: string) => output.read(unmarked(reply, wording.mark));
  const request: ModelRequest = {
    purpose: { tenant, service, department, requestId, isAutomatic },
    system: systemText(wording.mark, canary),
    user: `${task}\n${text}`,
    schema: { name: output.name, json: output.json },
    maxOutput: MAX_OUTPUT_TOKENS,
    ...(maxCost !== undefined && { maxCost }),
    key: crypto.sha256(
      JSON.stringify([service, asked.task, question, pack, claims, wording.pseudonyms !== NO_PSEUDONYMS, model.model]),
    ),
    until: clock.now() + Math.min(most, asked.leftMs ?? most, deadline.left() - TO_ANSWER_MS),
    problemOf: (reply) => {
      const checked = read(reply);
      return 'problem' in checked ? checked.problem : null;
    },
  };
  const reply = await model.complete(request, signal);
  if ('failure' in reply) return degradedBy(reply.failure);
  const checked = reply.text.includes(canary) ? { problem: 'canary' } : read(reply.text);
  if ('problem' in checked) return 'invalid_output';
  return { value: checked.value, model: model.model, pack, reveal: wording.pseudonyms.reveal };
};
