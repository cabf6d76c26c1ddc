import type { z } from 'zod';
import type { AddressQuery } from '#console/api/link/address.ts';
import type { Call } from '#console/api/link/call.ts';
import type { LandscapeBody } from '#features/landscape/schemas/landscape.ts';

export type LandscapeData = z.output<typeof LandscapeBody>;
export type LandscapeBoxData = LandscapeData['boxes'][number];
export type LandscapeCounts = Pick<LandscapeData, 'cis' | 'affected' | 'worst'>;

export const readLandscape = async (call: Call, query: AddressQuery, signal?: AbortSignal): Promise<LandscapeData> =>
  (await call<{ readonly data: LandscapeData }>('GET /api/cmdb/landscape', { query, signal })).data;
