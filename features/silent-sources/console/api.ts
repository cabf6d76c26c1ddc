import type { z } from 'zod';
import type { Call } from '#console/api/link/call.ts';
import type { SilentSourceBody } from '#features/silent-sources/schemas/silent-source.ts';

export const listSilentSources = async (
  call: Call,
  signal?: AbortSignal,
): Promise<readonly z.output<typeof SilentSourceBody>[]> =>
  (await call<{ readonly data: readonly z.output<typeof SilentSourceBody>[] }>('GET /api/sources/silent', { signal }))
    .data;
