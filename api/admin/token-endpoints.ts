import { type Context, endpoint, on } from '#api/surfaces/endpoint.ts';
import {
  changeToken,
  createToken,
  findToken,
  type IssuedToken as Issued,
  removeToken,
  rotateToken,
  type TokenChange,
  type TokenDraft,
  type TokenRotation,
} from '#application/access/tokens.ts';
import { recordPage } from '#application/records/list-records.ts';
import { ACCESS_KINDS, type TokenRecord } from '#domain/access/records.ts';
import type { Page } from '#domain/page.ts';
import { IdPath, IssuedToken, NewToken, Rotation, Token, TokenPatch, TokensQuery } from '#schemas/http/admin/admin.ts';
import { endNote, endsView } from '#schemas/http/admin/token-view.ts';
import { Message } from '#schemas/http/common.ts';
import { wrapped, wrappedList } from '#schemas/http/envelope.ts';
import { type Paging, pageInfo } from '#schemas/http/paging.ts';
import { iso } from '#schemas/http/time.ts';

const common = { tag: 'Administration', permission: 'tokens.manage', limit: 'standard' } as const;
const view = (token: TokenRecord, now: number) => {
  const { id, name, description, kind, role, scopes, limits, createdBy } = token;
  return {
    id,
    name,
    description,
    kind,
    role,
    scopes,
    limits,
    created_at: iso(token.createdAt),
    created_by: { _id: createdBy.id, username: createdBy.username, name: createdBy.name },
    ...endsView(token, now),
  };
};
const present = (token: TokenRecord, { receivedAt }: Context) => ({ body: view(token, receivedAt) });
const presentIssued = ({ token, record }: Issued, { receivedAt }: Context) => ({
  body: { ...view(record, receivedAt), token, note: endNote(record, receivedAt) },
  headers: { Location: `/api/admin/tokens/${record.id}`, 'Cache-Control': 'no-store' },
});

interface TokensFilter extends Paging {
  readonly search?: string | undefined;
}
type TokensPage = { readonly paging: Paging; readonly found: Page<TokenRecord> };

/** Filters by name and description. */
const matching = (search: string | undefined): ((token: TokenRecord) => boolean) => {
  const text = search?.toLowerCase();
  return ({ name, description }) => text === undefined || `${name}\n${description}`.toLowerCase().includes(text);
};

const listTokens = endpoint<TokensFilter, TokensPage>({
  ...common,
  id: 'admin.tokens.list',
  summary: 'List API tokens',
  mounts: on.platform.get('/admin/tokens', {
    query: TokensQuery,
    reply: wrappedList(Token),
    read: ({ query }) => query,
    present: ({ paging, found }, { receivedAt }) => ({
      body: found.items.map((token) => view(token, receivedAt)),
      page: pageInfo(paging, found),
    }),
  }),
  handle: async ({ search, ...paging }, { tenant, ports }) => ({
    paging,
    found: await recordPage<TokenRecord>(ports.records, tenant, ACCESS_KINDS.token, paging, matching(search)),
  }),
});

const addToken = endpoint<TokenDraft, Issued>({
  ...common,
  id: 'admin.tokens.create',
  summary: 'Create an API token',
  description:
    "Requires a role or scopes, up to the permissions of the creator. Ingest-only tokens don't expire by default; other tokens expire after 90 days.",
  secretFields: ['token'],
  mounts: on.platform.post('/admin/tokens', {
    status: 201,
    replyHeaders: ['Location'],
    body: NewToken,
    reply: wrapped(IssuedToken),
    read: ({ body: { role, scopes, expires_in, ...rest } }) => ({
      ...rest,
      role: role ?? null,
      scopes: scopes ?? [],
      expiresIn: expires_in,
    }),
    present: presentIssued,
  }),
  handle: (draft, context) => createToken(context, draft),
});

const getToken = endpoint<string, TokenRecord>({
  ...common,
  id: 'admin.tokens.get',
  summary: 'Get an API token',
  mounts: on.platform.get('/admin/tokens/{id}', {
    params: IdPath,
    reply: wrapped(Token),
    read: ({ params }) => params.id,
    present,
  }),
  handle: (id, context) => findToken(context, id),
});

const updateToken = endpoint<TokenChange, TokenRecord>({
  ...common,
  id: 'admin.tokens.update',
  summary: 'Update an API token',
  description:
    'Omitted fields are unchanged; null resets a limit to its default. A new expiry reactivates an expired token.',
  mounts: on.platform.put('/admin/tokens/{id}', {
    params: IdPath,
    body: TokenPatch,
    reply: wrapped(Token),
    read: ({ params, body: { expires_in, ...change } }) => ({ ...change, id: params.id, expiresIn: expires_in }),
    present,
  }),
  handle: (change, context) => changeToken(context, change),
});

const rotate = endpoint<TokenRotation, Issued>({
  ...common,
  id: 'admin.tokens.rotate',
  summary: 'Rotate an API token',
  description: 'The previous value stays valid for the overlap period.',
  secretFields: ['token'],
  mounts: on.platform.post('/admin/tokens/{id}/rotate', {
    params: IdPath,
    replyHeaders: ['Location'],
    body: Rotation,
    reply: wrapped(IssuedToken),
    read: ({ params, body }) => ({ id: params.id, overlap: body.overlap, expiresIn: body.expires_in }),
    present: presentIssued,
  }),
  handle: (rotation, context) => rotateToken(context, rotation),
});

const deleteToken = endpoint<string, void>({
  ...common,
  id: 'admin.tokens.revoke',
  summary: 'Revoke an API token',
  mounts: on.platform.delete('/admin/tokens/{id}', {
    params: IdPath,
    reply: wrapped(Message),
    read: ({ params }) => params.id,
    present: () => ({ body: { message: 'Token revoked' } }),
  }),
  handle: (id, context) => removeToken(context, id),
});

export const tokenEndpoints = [listTokens, addToken, getToken, updateToken, rotate, deleteToken];
