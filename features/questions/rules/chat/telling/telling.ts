import type { Findings } from '#features/ai/rules/findings.ts';
import type { MessageReading } from '../reading.ts';
import type { ToolRun } from '../tools.ts';

/** Parts of sentences. */
export interface Telling {
  readonly findings: Findings;
  readonly reading: MessageReading;
  /** Confidence below which no cause is named. */
  readonly abstainBelow: number;
  /** Other calls for the same answer. */
  readonly runs: readonly ToolRun[];
}
