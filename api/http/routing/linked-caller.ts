import type { Endpoint } from '#api/surfaces/endpoint.ts';
import { type Caller, LINK_HOLDER } from '#domain/access/caller.ts';
import { Fault } from '#domain/fault.ts';
import type { Keys } from '#domain/ports/keys.ts';
import type { Exchange } from './exchange.ts';
import { queryOf } from './read-input.ts';
import type { Serving } from './serving.ts';

/** The caller that the credential of the request names, and its tenant. Throws Fault `unauthenticated` or `tenant`. */
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

/** The bearer of a link: may call its endpoint alone, and is counted by the link's subject. */
const holder = (
  { permission, linkPage }: Pick<Endpoint, 'permission' | 'linkPage'>,
  tenant: string,
  subject: string,
): Caller => ({
  ...{ id: LINK_HOLDER, username: LINK_HOLDER, name: 'Holder of a signed link', tenant, kind: 'api_key', role: null },
  permissions: new Set(permission === null ? [] : [permission]),
  credentialId: `link ${linkPage} ${subject}`,
  limits: { tenant: {}, token: {} },
});

/**
 * The caller of a request that shows a signed link and no other credential; null when it shows none, or the endpoint takes none. Throws
 * Fault `unauthenticated` for a link that has expired or names something else.
 */
export async function linkedCaller(
  { keys }: { readonly keys: Keys },
  { request, search, route }: Exchange,
  subject: string | undefined,
): Promise<{ readonly caller: Caller; readonly tenant: string } | null> {
  const endpoint = route?.endpoint;
  if (endpoint?.linkPage === undefined || subject === undefined) return null;
  const { link } = queryOf(search);
  if (link === undefined || request.headers.authorization !== undefined) return null;
  const tenant = await keys.verifyLink(link, { page: endpoint.linkPage, sub: subject });
  if (tenant === null)
    throw new Fault('unauthenticated', 'The link has expired, or is not for this: ask for a new one');
  return { caller: holder(endpoint, tenant, subject), tenant };
}
