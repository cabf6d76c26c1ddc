import type { QueryContext } from '#application/access/context.ts';
import type { AiCaller, AiMode } from '#features/ai/use-cases/answer.ts';

/** The caller of an investigation. */
export interface InvestigationAsking extends QueryContext, AiCaller {
  readonly mode: AiMode;
}
