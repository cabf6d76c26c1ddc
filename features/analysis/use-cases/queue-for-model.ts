import type { MemorySlot } from '#domain/ports/memory.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Analysed } from '#features/analysis/rules/analysis.ts';
import { isWorthAModel, ModelQueue } from '#features/analysis/rules/model-queue.ts';

/** Analyses that wait for better words of a model. */
export const MODEL_QUEUE: MemorySlot<ModelQueue> = { name: 'model-queue', open: () => new ModelQueue() };

/** Puts what is worth it in line for the model; without one nothing waits. */
export const queueForModel = (
  { model, memory, metrics }: Pick<Ports, 'model' | 'memory' | 'metrics'>,
  tenant: string,
  analyses: readonly Analysed[],
): void => {
  if (model === null) return;
  const dropped = analyses
    .filter(isWorthAModel)
    .reduce((sum, analysed) => sum + memory.of(MODEL_QUEUE).add({ tenant, analysed }), 0);
  if (dropped > 0) metrics.count('faultline_analyses_unworded_total', {}, dropped);
};
