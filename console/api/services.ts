import type { Call } from './link/call.ts';

/** A business service in a choice. */
interface NamedService {
  readonly id: string;
  readonly name: string;
}

const FOUND = 50;

export const findServices = async (
  call: Call,
  search: string,
  signal?: AbortSignal,
): Promise<readonly NamedService[]> => {
  const query = { search: search || undefined, limit: FOUND };
  return (await call<{ readonly data: readonly NamedService[] }>('GET /api/services', { query, signal })).data;
};
