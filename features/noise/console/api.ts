import type { z } from 'zod';
import type { Call } from '#console/api/link/call.ts';
import { useRead } from '#console/hooks/use-read.ts';
import type { NoiseBody } from '#features/noise/schemas/noise.ts';

export type NoiseData = z.output<typeof NoiseBody>;
export type NoisyCheckData = NoiseData['checks'][number];

export const readNoise = async (call: Call, signal?: AbortSignal): Promise<NoiseData> =>
  (await call<{ readonly data: NoiseData }>('GET /api/noise', { signal })).data;

/** Read by the pages that show it; the server counts at most once in five minutes. */
export const useNoise = () => useRead(['noise'], readNoise, { staleTime: 60_000 });
