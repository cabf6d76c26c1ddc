import type { z } from 'zod';
import type { Call } from '#console/api/link/call.ts';
import type { Patch } from '#console/api/tuning.ts';
import type { TrialBody } from '#features/trials/schemas/trials.ts';

export type TrialShown = z.output<typeof TrialBody>;

interface Data<T> {
  readonly data: T;
}

export const startTrial = async (call: Call, patch: Patch, hours: number): Promise<TrialShown> =>
  (await call<Data<TrialShown>>('POST /api/admin/settings/correlation/trials', { body: { patch, hours } })).data;

export const listTrials = async (call: Call, signal?: AbortSignal): Promise<readonly TrialShown[]> =>
  (await call<Data<readonly TrialShown[]>>('GET /api/admin/settings/correlation/trials', { signal })).data;

export const readTrial = async (call: Call, id: string, signal?: AbortSignal): Promise<TrialShown> =>
  (await call<Data<TrialShown>>('GET /api/admin/settings/correlation/trials/{id}', { params: { id }, signal })).data;
