import type { AnyQuestionTool, QuestionTool } from './tool.ts';

/** An assessed change; change risk contributes the tool. */
interface AssessedRow {
  readonly ciId: string;
  readonly ciName: string;
  readonly level: 'low' | 'medium' | 'high' | 'critical';
  /** 0 to 100. */
  readonly score: number;
  readonly confidence: number;
  /** Sentences, most important first. */
  readonly reasons: readonly string[];
}
export type AssessChange = QuestionTool<{ ci: string; change: string; at?: string | undefined }, AssessedRow>;
export const ASSESS_CHANGE = 'assess_change';

export const assessing = (tools: readonly AnyQuestionTool[]): AssessChange | undefined =>
  tools.find(({ name }) => name === ASSESS_CHANGE);
