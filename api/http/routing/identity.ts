import { queryOf } from '#api/http/input/query.ts';
import type { Caller } from '#domain/access/caller.ts';
import type { Exchange } from './exchange.ts';
import type { Serving } from './serving.ts';

/** Whoever asks by the credential of the request, and for which tenant. Throws Fault `unauthenticated` or `tenant`. */
export const identity = (
  { authenticate }: Pick<Serving, 'authenticate'>,
  { request: { headers }, route, search, address }: Exchange,
): Promise<{ readonly caller: Caller; readonly tenant: string }> => {
  const lenient = route?.endpoint.lenientCredentials === true;
  return authenticate({
    ...{ authorization: headers.authorization, tenantHeader: headers['x-tenant-id'] as string | undefined },
    ...{ queryToken: lenient ? queryOf(search).token : undefined, lenient, address },
  });
};
