import { deserialize, serialize } from 'node:v8';
import {
  type Analysis,
  type AnalysisRange,
  analysisSteps,
  type FoundLinks,
} from '#domain/correlation/on-demand/analysis.ts';
import { enrichedBetween } from '#infra/embedded/correlation/enriched-between.ts';
import type { EnrichedTable } from '#infra/embedded/correlation/enriched-table.ts';
import type { RowReader } from '#infra/embedded/redo-log/connections.ts';

export interface Analyze extends AnalysisRange {
  readonly tenant: string;
}
/** Form that is cheap to receive for the calling thread: links are unpacked when they are used. */
export interface PackedAnalysis extends Omit<Analysis, 'found'> {
  readonly found: readonly Uint8Array[];
}

/** Records read at once; the thread has nothing else to do. */
const TURN = 1_000;

export function analyze(reading: RowReader, records: EnrichedTable, { tenant, ...range }: Analyze): PackedAnalysis {
  const steps = analysisSteps(range, TURN);
  let step = steps.next();
  while (!step.done) step = steps.next(enrichedBetween(reading, records, { tenant, order: 'asc', ...step.value }));
  return { ...step.value, found: [...step.value.found].map((part) => serialize(part)) };
}

function* unpacked(parts: readonly Uint8Array[]): Generator<readonly FoundLinks[]> {
  for (const part of parts) yield deserialize(part) as readonly FoundLinks[];
}

export const unpackAnalysis = (packed: PackedAnalysis): Analysis => ({ ...packed, found: unpacked(packed.found) });
