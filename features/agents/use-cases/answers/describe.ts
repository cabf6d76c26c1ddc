import type { UseCaseContext } from '#application/access/context.ts';
import type { Findings } from '#features/ai/rules/findings.ts';
import type { Range } from '#features/ai/rules/time/range.ts';
import type { AiCaller, AiMode } from '#features/ai/use-cases/answer.ts';
import type { Intent } from '#features/questions/rules/asking/intents.ts';
import type { Desk } from '#features/questions/use-cases/answering/desk.ts';
import type { MessageReading } from '#features/questions/use-cases/answering/read-message.ts';

export type AgentContext = UseCaseContext & AiCaller;

/** A question as read by the assistant's question engine. */
export interface AgentQuestion {
  readonly text: string;
  readonly range: Range;
  readonly desk: Desk;
  readonly reading: MessageReading;
  readonly intent: Intent | null;
}

/** An agent's answer by rules, before a model words it. */
export interface RulesAnswer {
  readonly findings: Findings;
  /** 0 to 1. */
  readonly confidence: number;
  /** The evidence read, and the method, in one sentence. */
  readonly reasoning: string;
  readonly abstained: boolean;
}

export interface AgentAsked {
  readonly text: string;
  readonly timeRange: string | null;
  /** Maximum cost, in the currency of the prices; 0: rules only. */
  readonly budgetLimit: number | null;
  readonly mode: AiMode;
}

/** States that a search found nothing, with the search as evidence. */
export const describeNone = (
  findings: Findings,
  text: string,
  looked: { readonly label: string; readonly href: string },
): void =>
  findings.say(text, [
    findings.add({ kind: 'query', id: looked.label, ...looked, facts: [{ name: 'total', value: 0 }] }),
  ]);
