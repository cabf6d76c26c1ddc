import { endpoint, mount } from '#api/endpoint.ts';
import { ACCESS_KINDS, type TokenRecord } from '#domain/access/records.ts';
import type { Page } from '#domain/ports/event-store.ts';
import { IdPath, IssuedToken, NewToken, PageQuery, Token } from '#schemas/http/admin.ts';
import { Message } from '#schemas/http/common.ts';
import { wrapped, wrappedList } from '#schemas/http/envelope.ts';
import { type Paging, pageInfo } from '#schemas/http/paging.ts';
import { iso, isoOrNull } from '#schemas/http/time.ts';
import { recordPage } from './list-records.ts';
import { createToken, findToken, type IssuedToken as Issued, removeToken, type TokenDraft } from './tokens.ts';

const common = { tag: 'Administration', permission: 'tokens.manage', limit: 'standard' } as const;
const view = (token: TokenRecord) => {
  const { id, name, description, kind, role, scopes, limits, createdBy } = token;
  return {
    ...{ id, name, description, kind, role, scopes, limits },
    created_at: iso(token.createdAt),
    created_by: { _id: createdBy.id, username: createdBy.username, name: createdBy.name },
    expires_at: isoOrNull(token.expiresAt),
    last_used_at: isoOrNull(token.lastUsedAt),
  };
};

type Listed = { readonly paging: Paging; readonly found: Page<TokenRecord> };

const listTokens = endpoint<Paging, Listed>({
  ...common,
  id: 'admin.tokens.list',
  summary: 'List the API tokens of the tenant, without their secrets',
  mounts: [
    mount({
      on: 'platform',
      method: 'get',
      path: '/admin/tokens',
      query: PageQuery,
      reply: wrappedList(Token),
      read: ({ query }) => query,
      present: ({ paging, found }) => ({ body: found.items.map(view), page: pageInfo(paging, found) }),
    }),
  ],
  handle: async (paging, { tenant, ports }) => ({
    paging,
    found: await recordPage<TokenRecord>(ports.records, tenant, ACCESS_KINDS.token, paging),
  }),
});

const addToken = endpoint<TokenDraft, Issued>({
  ...common,
  id: 'admin.tokens.create',
  summary: 'Create an API token; it is shown in this reply and never again',
  description: 'With either a role or scopes, neither above the rights of the creator.',
  secretFields: ['token'],
  mounts: [
    mount({
      on: 'platform',
      method: 'post',
      path: '/admin/tokens',
      status: 201,
      body: NewToken,
      reply: wrapped(IssuedToken),
      read: ({ body: { role, scopes, expires_in, ...rest } }) => ({
        ...rest,
        role: role ?? null,
        scopes: scopes ?? [],
        expiresIn: expires_in,
      }),
      present: ({ token, record }) => ({
        body: { ...view(record), token },
        headers: { Location: `/api/admin/tokens/${record.id}`, 'Cache-Control': 'no-store' },
      }),
    }),
  ],
  handle: (draft, context) => createToken(context, draft),
});

const getToken = endpoint<string, TokenRecord>({
  ...common,
  id: 'admin.tokens.get',
  summary: 'Show an API token, without its secret',
  mounts: [
    mount({
      on: 'platform',
      method: 'get',
      path: '/admin/tokens/{id}',
      params: IdPath,
      reply: wrapped(Token),
      read: ({ params }) => params.id,
      present: (token) => ({ body: view(token) }),
    }),
  ],
  handle: (id, context) => findToken(context, id),
});

const deleteToken = endpoint<string, void>({
  ...common,
  id: 'admin.tokens.revoke',
  summary: 'Revoke an API token',
  mounts: [
    mount({
      on: 'platform',
      method: 'delete',
      path: '/admin/tokens/{id}',
      params: IdPath,
      reply: wrapped(Message),
      read: ({ params }) => params.id,
      present: () => ({ body: { message: 'Token revoked' } }),
    }),
  ],
  handle: (id, context) => removeToken(context, id),
});

export const tokenEndpoints = [listTokens, addToken, getToken, deleteToken];
