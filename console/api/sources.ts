import type { z } from 'zod';
import type { RejectedView } from '#schemas/http/admin/admin.ts';
import type { SourceBody, SourceDetailBody } from '#schemas/http/admin/sources.ts';
import type { Call, Reply } from './link/call.ts';
import type { List } from './list.ts';

export type SourceData = z.output<typeof SourceBody>;
export type SourceDetail = z.output<typeof SourceDetailBody>;
type Rejected = z.output<typeof RejectedView>;

export const listSources = async (call: Call, signal?: AbortSignal): Promise<readonly SourceData[]> =>
  (await call<Reply<readonly SourceData[]>>('GET /api/admin/sources', { signal })).data;

export const readSource = async (call: Call, name: string, signal?: AbortSignal): Promise<SourceDetail> =>
  (await call<Reply<SourceDetail>>('GET /api/admin/sources/{name}', { params: { name }, signal })).data;

export const testSource = (call: Call, name: string): Promise<unknown> =>
  call('POST /api/admin/sources/{name}/test', { params: { name } });

export const listRejected = (call: Call, cursor: string | undefined, signal?: AbortSignal): Promise<List<Rejected>> =>
  call<List<Rejected>>('GET /api/admin/rejected', { query: { limit: 100, cursor }, signal });
