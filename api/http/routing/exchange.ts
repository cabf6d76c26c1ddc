import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Endpoint } from '#api/surfaces/endpoint.ts';
import type { Surface } from '#api/surfaces/surface.ts';
import type { Authenticate } from '#application/access/authenticate.ts';
import { type Caller, LINK_HOLDER } from '#domain/access/caller.ts';
import { Fault } from '#domain/fault.ts';
import type { Keys } from '#domain/ports/keys.ts';
import type { Route } from './routes.ts';

/** One request and what is known of it so far; whoever replies, reads how from here. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** Peer, or the client that a trusted proxy names. */
  readonly address: string;
  /** Without query, as sent. */
  readonly path: string;
  /** With its question mark, or empty. */
  readonly search: string;
  /** Epoch ms. */
  readonly receivedAt: number;
  /** Monotonic ms. */
  readonly startedAt: number;
  /** When a reply that lasts began, monotonic ms; else null. */
  beganAt: number | null;
  surface: Surface;
  route: Route | null;
  caller: Caller | null;
  tenant: string;
  /** Sent with whatever the reply will be. */
  readonly headers: Record<string, string>;
}

const PRINTABLE = /^[\x20-\x7e]{1,128}$/;

/** A header's value when it is 1–128 printable characters. */
export const printable = (value: string | string[] | undefined): string | null =>
  typeof value === 'string' && PRINTABLE.test(value) ? value : null;

const none: Readonly<Record<string, string>> = Object.freeze(Object.create(null));

/** The query by name; a repeated parameter is the same as one with commas. */
export function queryOf(search: string): Record<string, string> {
  if (search === '') return none as Record<string, string>;
  const query: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(search)) {
    const earlier = query[name];
    query[name] = earlier === undefined ? value : `${earlier},${value}`;
  }
  return query;
}

/** The caller that the credential of the request names, and its tenant. Throws Fault `unauthenticated` or `tenant`. */
export const identity = (
  { authenticate }: { readonly authenticate: Authenticate },
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
