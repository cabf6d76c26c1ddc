import type { z } from 'zod';
import type { Call } from '#console/api/link/call.ts';
import type { DemoBody } from '#features/demo/schemas/demo.ts';

export type DemoShown = z.output<typeof DemoBody>;

interface Data<T> {
  readonly data: T;
}

export const readDemo = async (call: Call, signal?: AbortSignal): Promise<DemoShown> =>
  (await call<Data<DemoShown>>('GET /api/admin/demo', { signal })).data;

export const startDemo = async (call: Call): Promise<DemoShown> =>
  (await call<Data<DemoShown>>('POST /api/admin/demo')).data;

export const deleteDemo = (call: Call): Promise<unknown> => call('DELETE /api/admin/demo');
