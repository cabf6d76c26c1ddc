import type { z } from 'zod';
import type { NewView, View as ViewBody } from '#schemas/http/console.ts';
import type { Call, Reply } from './link/call.ts';

export type View = z.output<typeof ViewBody>;
export type ViewInput = z.output<typeof NewView>;

export const listViews = async (call: Call, signal?: AbortSignal): Promise<readonly View[]> =>
  (await call<Reply<readonly View[]>>('GET /api/views', { signal })).data;

export const makeView = async (call: Call, draft: ViewInput): Promise<View> =>
  (await call<Reply<View>>('POST /api/views', { body: draft })).data;

export const changeView = async (call: Call, id: string, draft: ViewInput): Promise<View> =>
  (await call<Reply<View>>('PUT /api/views/{id}', { params: { id }, body: draft })).data;

export const deleteView = (call: Call, id: string): Promise<unknown> =>
  call('DELETE /api/views/{id}', { params: { id } });
