import type { z } from 'zod';
import type { Call } from '#console/api/link/call.ts';
import type { SimilarIncidentBody } from '#features/analysis/schemas/similar.ts';

export type SimilarIncidentData = z.output<typeof SimilarIncidentBody>;

export const readSimilar = async (
  call: Call,
  correlationId: string,
  signal?: AbortSignal,
): Promise<readonly SimilarIncidentData[]> => {
  const params = { correlationId };
  const { similar } = await call<{ readonly similar: readonly SimilarIncidentData[] }>(
    'GET /api/events/groups/{correlationId}/similar',
    { params, signal },
  );
  return similar;
};

/** The runbook in effect now; null: none. */
export const readRunbook = async (call: Call, correlationId: string, signal?: AbortSignal): Promise<string | null> => {
  const asked = { params: { correlationId }, signal };
  return (await call<{ readonly runbook: string | null }>('GET /api/events/groups/{correlationId}/runbook', asked))
    .runbook;
};
