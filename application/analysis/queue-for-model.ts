import type { Analysed } from '#domain/analysis/analysis.ts';
import { isWorthAModel } from '#domain/analysis/model-queue.ts';
import type { Ports } from '#domain/ports/ports.ts';

/** Puts what is worth it in line for the model; without one nothing waits. */
export const queueForModel = (
  { model, memory, metrics }: Pick<Ports, 'model' | 'memory' | 'metrics'>,
  tenant: string,
  analyses: readonly Analysed[],
): void => {
  if (model === null) return;
  const dropped = analyses
    .filter(isWorthAModel)
    .reduce((sum, analysed) => sum + memory.modelQueue.add({ tenant, analysed }), 0);
  if (dropped > 0) metrics.count('faultline_analyses_unworded_total', {}, dropped);
};
