import type { z } from 'zod';
import type { Call } from '#console/api/link/call.ts';
import type { OnCallBody, OnCallPutBody } from '#features/on-call/schemas/on-call.ts';

export type OnCallData = z.output<typeof OnCallBody>;

export const ON_CALL = ['on-call'] as const;
export const READ_MS = 60_000;

export const listOnCall = async (call: Call, signal?: AbortSignal): Promise<readonly OnCallData[]> =>
  (await call<{ readonly data: readonly OnCallData[] }>('GET /api/on-call', { signal })).data;

export const putOnCall = (call: Call, id: string, body: z.input<typeof OnCallPutBody>): Promise<unknown> =>
  call('PUT /api/on-call/{id}', { params: { id }, body });
