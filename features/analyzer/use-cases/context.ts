import type { UseCaseContext } from '#application/access/context.ts';
import type { AiCaller } from '#features/ai/use-cases/answer.ts';

/** A handler's context is one. */
export type AnalyzerContext = UseCaseContext & AiCaller;
