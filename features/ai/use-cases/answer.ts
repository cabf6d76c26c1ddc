import type { Degraded } from '#domain/ai/degraded.ts';
import { type CitationKind, type Claim, type EvidencePack, MAX_CLAIMS } from '#domain/ai/evidence.ts';
import { provenClaim } from '#features/ai/rules/claims/claim-checks.ts';
import { MAX_NOTES, noteOf } from '#features/ai/rules/claims/note.ts';
import { sentenceOf } from '#features/ai/rules/claims/statement.ts';
import type { AI_MODES } from '#features/ai/rules/mode.ts';
import { claimsTask } from '#features/ai/rules/prompt/instructions.ts';
import type { AskedQuestion } from '#features/ai/rules/prompt/question.ts';
import { claimsOutput } from '#features/ai/schemas/model/claims.ts';
import { askModel, type ModelAsking, modelFault } from './ask.ts';
import { claimsThatHold } from './cited.ts';
import { countRulesAnswer } from './usage/rules-count.ts';

/** Value of header `X-AI-Mode`. */
export type AiMode = (typeof AI_MODES)[number];

/** The caller, and its ports; a handler's context is one. */
export type AiCaller = ModelAsking;

export interface Question {
  /** Label of usage records: `ci-insight`, `change-analysis`, `event-analysis`, `incident-analysis`, `ai-relationships` … */
  readonly service: string;
  readonly pack: EvidencePack;
  /** The answer of the rules; a model words, orders and connects the content of the pack. */
  readonly claims: readonly Claim[];
  /** The rules name no cause. */
  readonly abstained: boolean;
  /** The task of a model with the pack; our own text. */
  readonly task: string;
  readonly mode: AiMode;
  /** Aliases of the only items that a claim may name as a cause; absent: no claim is about causes. */
  readonly causes?: readonly string[];
  /** Fixed ones of `claims`, before the others, regardless of their author. */
  readonly kept?: readonly Claim[];
  /** The largest cost of a model for this, in the currency of the prices; 0: none is asked. */
  readonly maxCost?: number;
  /** The user's question and the conversation before it; shown to the model. */
  readonly question?: AskedQuestion;
  /** Time limit of the model, ms; absent: 15 s. */
  readonly leftMs?: number;
  /** A model that should have found the evidence has failed: the rules answer, and include the reason. */
  readonly degraded?: Degraded | null;
  /** Unrequested work: limited to the share of automatic work. */
  readonly isAutomatic?: true;
}

interface Citation {
  readonly ref: string;
  readonly kind: CitationKind;
  readonly id: string;
  readonly label: string;
  readonly href: string;
}

/** Fields of every AI reply beside its own. */
export interface AnswerEvidence {
  readonly generatedBy: 'rules' | 'model';
  readonly model: string | null;
  readonly abstained: boolean;
  readonly degraded: Degraded | null;
  /** The sentences of the answer, each with its citations. */
  readonly claims: readonly Claim[];
  readonly citations: readonly Citation[];
  /** Sentences of a model that are not proven; absent: none. */
  readonly notes?: readonly string[];
}

export interface AiAnswer {
  readonly claims: readonly Claim[];
  readonly grounds: AnswerEvidence;
}

/** Citations of these sentences. */
export const citationsOf = (claims: readonly Pick<Claim, 'refs'>[], pack: EvidencePack): Citation[] => {
  const cited = new Set(claims.flatMap(({ refs }) => refs));
  return pack
    .filter(({ alias }) => cited.has(alias))
    .map(({ alias, kind, id, label, href }) => ({ ref: alias, kind, id, label, href }));
};

/** Returns the answer of the rules. Evidence that was not awaited was read a moment ago. */
const byRules = async (asking: AiCaller, question: Question, degraded: Degraded | null): Promise<AiAnswer> => {
  const { ports, tenant } = asking;
  const { pack, abstained, isAutomatic } = question;
  countRulesAnswer(ports, tenant);
  if (degraded !== null && degraded !== 'no_model')
    ports.metrics.count('faultline_ai_degraded_total', { reason: degraded });
  const isFresh = isAutomatic === true && (degraded === null || degraded === 'no_model');
  const claims = isFresh ? question.claims : await claimsThatHold(ports, tenant, question.claims, pack);
  return {
    claims,
    grounds: { generatedBy: 'rules', model: null, abstained, degraded, claims, citations: citationsOf(claims, pack) },
  };
};

/** Proven claims of the model in our own words, each once; the others are counted, and few become notes. */
const provenClaims = (
  asking: AiCaller,
  claims: readonly Claim[],
  pack: EvidencePack,
  { causes, isAutomatic }: Question,
): { readonly proven: Claim[]; readonly notes: string[] } => {
  const { metrics, clock } = asking.ports;
  const checking = { pack, causes, now: clock.now(), isStored: isAutomatic };
  const proven = new Map<string, Claim>();
  const notes = new Set<string>();
  for (const claim of claims.slice(0, MAX_CLAIMS)) {
    const found = provenClaim(claim, checking);
    if (typeof found !== 'string') {
      if (!proven.has(found.text)) proven.set(found.text, found);
      continue;
    }
    metrics.count('faultline_ai_claims_dropped_total', { check: found });
    const note = found === 'unproven' && !isAutomatic ? noteOf(claim, checking) : null;
    if (note !== null) notes.add(note);
  }
  return { proven: [...proven.values()], notes: [...notes].slice(0, MAX_NOTES) };
};

const byModel = async (asking: AiCaller, question: Question): Promise<AiAnswer | Degraded> => {
  const { ports, tenant } = asking;
  const { service, pack, claims, causes, kept = [], isAutomatic = false, abstained, maxCost } = question;
  const { question: asked, leftMs } = question;
  const task = claimsTask(question.task, causes);
  const said = await askModel(asking, {
    service,
    pack,
    claims,
    task,
    output: claimsOutput,
    isAutomatic,
    maxCost,
    question: asked,
    leftMs,
  });
  if (typeof said === 'string') return said;
  const worded = said.value.claims.map(({ refs, certainty, ...claim }) => ({
    text: said.reveal(sentenceOf(claim)),
    refs,
    certainty,
  }));
  const { proven, notes } = provenClaims(asking, worded, said.pack, question);
  const sound = await claimsThatHold(ports, tenant, proven, said.pack);
  if (sound.length === 0) return 'invalid_output';
  const all = [...(await claimsThatHold(ports, tenant, kept, pack)), ...sound];
  return {
    claims: all,
    grounds: {
      generatedBy: 'model',
      model: said.model,
      abstained: abstained || said.value.abstain,
      degraded: null,
      claims: all,
      citations: citationsOf(all, pack),
      ...(notes.length > 0 && { notes }),
    },
  };
};

/**
 * Answers from the pack: by a model when there is one and its claims pass the checks, else by the rules. Throws Fault `model`,
 * `unavailable` or `rate-limited` when the caller wants a model and nothing else.
 */
export const answer = async (asking: AiCaller, question: Question): Promise<AiAnswer> => {
  if (question.mode === 'rules' || question.maxCost === 0) return byRules(asking, question, null);
  const answered = question.degraded ?? (await byModel(asking, question));
  if (typeof answered !== 'string') return answered;
  if (question.mode === 'model') throw modelFault(answered);
  return byRules(asking, question, answered);
};
