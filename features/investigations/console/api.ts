import type { z } from 'zod';
import type { Call } from '#console/api/link/call.ts';
import type {
  InvestigationBody,
  InvestigationCheckBody,
  InvestigationHypothesisBody,
} from '#features/investigations/schemas/investigation.ts';

export type ShownCheck = z.output<typeof InvestigationCheckBody>;
export type StartedHypothesis = z.output<typeof InvestigationHypothesisBody>;
export type EndedInvestigation = z.output<typeof InvestigationBody>;

/** Passes on each step as it is received. */
export const investigateGroup = (
  call: Call,
  correlationId: string,
  signal: AbortSignal,
  handOn: (event: string, data: unknown) => void,
): Promise<void> =>
  call.stream('POST /api/events/groups/{correlationId}/investigate', { params: { correlationId }, signal }, handOn);
