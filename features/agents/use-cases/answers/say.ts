import type { UseCaseContext } from '#application/access/context.ts';
import type { Group } from '#domain/correlation/records.ts';
import { clockTime, type Findings } from '#features/ai/rules/findings.ts';
import type { AiMode, Asking } from '#features/ai/use-cases/answer.ts';
import type { Range } from '#features/questions/rules/range.ts';
import type { Mentioned } from './mentioned.ts';

export type AgentContext = UseCaseContext & Asking;

interface AgentQuestion {
  readonly text: string;
  readonly range: Range;
  readonly mentioned: Mentioned;
  readonly abstainBelow: number;
}

/** Sentences of the rules of an agent. */
export interface Said {
  readonly findings: Findings;
  /** 0 to 1. */
  readonly confidence: number;
  /** The evidence that was read, and the way to the answer; one sentence. */
  readonly reasoning: string;
  readonly abstained: boolean;
  /** For a model; our own words. */
  readonly task: string;
}
export type Answers = (context: AgentContext, question: AgentQuestion) => Promise<Said>;

export interface AgentAsked {
  readonly text: string;
  readonly timeRange: string | null;
  /** In the currency of the prices; 0: rules alone. */
  readonly budgetLimit: number | null;
  readonly mode: AiMode;
}

const PAGE = 100;
/** Groups of the range, the largest first, at most 100. */
export async function largestGroups({ tenant, ports }: AgentContext, { from, to }: Range) {
  const page = { sort: 'size', order: 'desc', limit: PAGE } as const;
  return ports.correlation.groups(tenant, { from, to: to - 1 }, page);
}

/** That there is nothing of what was looked for, with where it was looked. */
export const sayNone = (
  findings: Findings,
  text: string,
  looked: { readonly label: string; readonly href: string },
): void =>
  findings.say(text, [
    findings.add({ kind: 'query', id: looked.label, ...looked, facts: [{ name: 'total', value: 0 }] }),
  ]);

/** `about`: what the groups were to be about, as ` on db-1`. */
export function sayNoGroup(findings: Findings, { from, to }: Range, about = ''): void {
  const query = new URLSearchParams({ from: new Date(from).toISOString(), to: new Date(to).toISOString() });
  const text = `No group has events${about} from ${clockTime(from)} to ${clockTime(to)}.`;
  sayNone(findings, text, { label: 'groups', href: `/api/events/groups?${query}` });
}

/** The group as evidence, with its size and its time. */
export const cite = (findings: Findings, { id, size }: Group): string | null =>
  findings.add({ kind: 'group', id, label: id, facts: [{ name: 'events', value: size }] });
