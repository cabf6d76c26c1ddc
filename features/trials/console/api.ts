import type { z } from 'zod';
import type { Call, Reply } from '#console/api/link/call.ts';
import type { Patch } from '#console/api/tuning.ts';
import type { TrialBody } from '#features/trials/schemas/trials.ts';

export type TrialData = z.output<typeof TrialBody>;

export const startTrial = async (call: Call, patch: Patch, hours: number): Promise<TrialData> =>
  (await call<Reply<TrialData>>('POST /api/admin/settings/correlation/trials', { body: { patch, hours } })).data;

export const listTrials = async (call: Call, signal?: AbortSignal): Promise<readonly TrialData[]> =>
  (await call<Reply<readonly TrialData[]>>('GET /api/admin/settings/correlation/trials', { signal })).data;

export const readTrial = async (call: Call, id: string, signal?: AbortSignal): Promise<TrialData> =>
  (await call<Reply<TrialData>>('GET /api/admin/settings/correlation/trials/{id}', { params: { id }, signal })).data;
