import { setImmediate } from 'node:timers/promises';
import {
  type Analysis,
  type AnalysisRange,
  analysisSteps,
  type RecordsWanted,
} from '#domain/correlation/on-demand/analysis.ts';
import type { Enriched } from '#domain/correlation/records.ts';

/** Records processed before other requests are served: a few milliseconds. */
const TURN = 50;

/** An analysis in a thread that has other things to do. */
export async function analyzeInTurns(
  range: AnalysisRange,
  read: (wanted: RecordsWanted) => Promise<readonly Enriched[]>,
): Promise<Analysis> {
  const steps = analysisSteps(range, TURN);
  let step = steps.next();
  while (!step.done) {
    const records = await read(step.value);
    await setImmediate();
    step = steps.next(records);
  }
  return step.value;
}
