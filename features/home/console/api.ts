import type { z } from 'zod';
import type { Call } from '#console/api/link/call.ts';
import type { HomeBody } from '#features/home/schemas/home.ts';

export type HomeData = z.output<typeof HomeBody>;

export const readHome = async (call: Call, since: string, signal?: AbortSignal): Promise<HomeData> =>
  (await call<{ readonly data: HomeData }>('GET /api/home', { query: { since }, signal })).data;
