import type { z } from 'zod';
import type { IssuedToken, NewToken } from '#schemas/http/admin/admin.ts';
import type { Call } from './link/call.ts';

type Issued = z.output<typeof IssuedToken>;
type TokenDraft = z.input<typeof NewToken>;

type Data<T> = { readonly data: T };

export const makeToken = async (call: Call, draft: TokenDraft): Promise<Issued> =>
  (await call<Data<Issued>>('POST /api/admin/tokens', { body: draft })).data;
