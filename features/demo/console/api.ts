import type { z } from 'zod';
import type { Call, Reply } from '#console/api/link/call.ts';
import type { DemoBody } from '#features/demo/schemas/demo.ts';

export type DemoData = z.output<typeof DemoBody>;

export const readDemo = async (call: Call, signal?: AbortSignal): Promise<DemoData> =>
  (await call<Reply<DemoData>>('GET /api/admin/demo', { signal })).data;

export const startDemo = async (call: Call): Promise<DemoData> =>
  (await call<Reply<DemoData>>('POST /api/admin/demo')).data;

export const deleteDemo = (call: Call): Promise<unknown> => call('DELETE /api/admin/demo');
