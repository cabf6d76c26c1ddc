import type { z } from 'zod';
import type { Readiness as ReadinessBody } from '#schemas/http/readiness.ts';
import { addressOf } from './link/address.ts';

type Readiness = z.output<typeof ReadinessBody>;

/** The state of the server's parts, also when it is not ready: its answer is then 503 with the same body. */
export const readReadiness = async (root: string, signal: AbortSignal): Promise<Readiness> => {
  const response = await fetch(addressOf(root, '/readyz', {}, { verbose: 'true' }), { signal, cache: 'no-store' });
  return (await response.json()) as Readiness;
};
