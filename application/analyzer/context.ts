import type { UseCaseContext } from '#application/access/context.ts';
import type { Asking } from '#application/ai/answer.ts';

/** A handler's context is one. */
export type AnalyzerContext = UseCaseContext & Asking;
