import type { AnyQuestionTool, QuestionTool } from './tool.ts';

/** A change as it was judged; contributed by whoever judges changes. */
interface AssessedRow {
  readonly ciId: string;
  readonly ciName: string;
  readonly level: 'low' | 'medium' | 'high' | 'critical';
  /** 0 to 100. */
  readonly score: number;
  readonly confidence: number;
  /** In sentences, those that weigh most first. */
  readonly reasons: readonly string[];
}
export type AssessChange = QuestionTool<{ ciId: string; change: string; at?: string | undefined }, AssessedRow>;
export const ASSESS_CHANGE = 'assess-change';

export const assessing = (tools: readonly AnyQuestionTool[]): AssessChange | undefined =>
  tools.find(({ name }) => name === ASSESS_CHANGE);
