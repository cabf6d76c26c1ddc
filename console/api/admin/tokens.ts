import type { z } from 'zod';
import type { IssuedToken as IssuedBody, NewToken, Token } from '#schemas/http/admin/admin.ts';
import type { Call, Reply } from '../link/call.ts';
import type { List } from '../list.ts';

export type ApiToken = z.output<typeof Token>;
export type IssuedTokenData = z.output<typeof IssuedBody>;
type TokenDraft = z.input<typeof NewToken>;

export const listTokens = (
  call: Call,
  query: { readonly cursor: string | undefined },
  signal?: AbortSignal,
): Promise<List<ApiToken>> => call<List<ApiToken>>('GET /api/admin/tokens', { query: { limit: 50, ...query }, signal });

export const makeToken = async (call: Call, draft: TokenDraft): Promise<IssuedTokenData> =>
  (await call<Reply<IssuedTokenData>>('POST /api/admin/tokens', { body: draft })).data;

export const rotateToken = async (call: Call, id: string, overlap: string): Promise<IssuedTokenData> =>
  (await call<Reply<IssuedTokenData>>('POST /api/admin/tokens/{id}/rotate', { params: { id }, body: { overlap } }))
    .data;

export const revokeToken = (call: Call, id: string): Promise<unknown> =>
  call('DELETE /api/admin/tokens/{id}', { params: { id } });
