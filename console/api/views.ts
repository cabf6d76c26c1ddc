import type { z } from 'zod';
import type { NewView, View as ViewBody } from '#schemas/http/console.ts';
import type { Call } from './link/call.ts';

export type View = z.output<typeof ViewBody>;
export type ViewWish = z.output<typeof NewView>;

interface Data<T> {
  readonly data: T;
}

export const listViews = async (call: Call, signal?: AbortSignal): Promise<readonly View[]> =>
  (await call<Data<readonly View[]>>('GET /api/views', { signal })).data;

export const makeView = async (call: Call, draft: ViewWish): Promise<View> =>
  (await call<Data<View>>('POST /api/views', { body: draft })).data;

export const changeView = async (call: Call, id: string, draft: ViewWish): Promise<View> =>
  (await call<Data<View>>('PUT /api/views/{id}', { params: { id }, body: draft })).data;

export const deleteView = (call: Call, id: string): Promise<unknown> =>
  call('DELETE /api/views/{id}', { params: { id } });
