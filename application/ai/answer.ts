import type { CitationKind, Claim, EvidencePack } from '#domain/ai/evidence.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { countRulesAnswer } from './usage/rules-count.ts';

/** Header `X-AI-Mode`: `rules` never asks a model, `model` wants one, `auto` takes the rules when a model fails. */
export const AI_MODES = ['auto', 'rules', 'model'] as const;
export type AiMode = (typeof AI_MODES)[number];

export const DEGRADED = ['no_model', 'budget', 'busy', 'timeout', 'provider', 'invalid_output'] as const;
export type Degraded = (typeof DEGRADED)[number];

/** Who asks, and with which ports; a handler's context is one. */
export interface Asking {
  readonly tenant: string;
  readonly ports: Ports;
  readonly department: string | null;
  readonly requestId: string | null;
  readonly signal: AbortSignal;
}

export interface Question {
  /** Label of usage records: `ci-insight`, `change-analysis`, `event-analysis`, `incident-analysis`, `ai-relationships` … */
  readonly service: string;
  readonly pack: EvidencePack;
  /** The answer of the rules; a model words, orders and connects what is in the pack. */
  readonly claims: readonly Claim[];
  /** The rules name no cause. */
  readonly abstained: boolean;
  /** What a model is asked to do with the pack; our own text. */
  readonly task: string;
  readonly mode: AiMode;
  /** Aliases of the only items that a claim may name as a cause; absent: no claim is about causes. */
  readonly causes?: readonly string[];
  /** Not asked for by anyone: limited to the share of automatic work. */
  readonly isAutomatic?: true;
}

export interface Citation {
  readonly ref: string;
  readonly kind: CitationKind;
  readonly id: string;
  readonly label: string;
  readonly href: string;
}

/** In every AI reply beside its own fields. */
export interface Grounds {
  readonly generatedBy: 'rules' | 'model';
  readonly model: string | null;
  readonly abstained: boolean;
  readonly degraded: Degraded | null;
  readonly citations: readonly Citation[];
}

export interface Answer {
  readonly claims: readonly Claim[];
  readonly grounds: Grounds;
}

/** Answers from the pack: by a model when there is one and its claims pass the checks, else by the rules. */
export const answer = async (
  { ports, tenant }: Asking,
  { pack, claims, abstained, mode }: Question,
): Promise<Answer> => {
  countRulesAnswer(ports, tenant);
  const cited = new Set(claims.flatMap(({ refs }) => refs));
  const citations = pack
    .filter(({ alias }) => cited.has(alias))
    .map(({ alias, kind, id, label, href }) => ({ ref: alias, kind, id, label, href }));
  const degraded = mode === 'rules' ? null : 'no_model';
  return { claims, grounds: { generatedBy: 'rules', model: null, abstained, degraded, citations } };
};
