import type { z } from 'zod';
import type {
  DeadLetterDetail,
  DeadLetterView,
  PipelineHistoryView,
  PipelineView,
  ResolvedDeadLettersView,
} from '#schemas/http/admin/operations.ts';
import type { AddressQuery } from './link/address.ts';
import type { Call, Reply } from './link/call.ts';
import type { List } from './list.ts';

export type PipelineData = z.output<typeof PipelineView>;
export type Processor = PipelineData['processors'][number];
export type PipelineHistoryData = z.output<typeof PipelineHistoryView>;
export type DeadLetterRow = z.output<typeof DeadLetterView>;
export type DeadLetterRecord = z.output<typeof DeadLetterDetail>;
type Settled = z.output<typeof ResolvedDeadLettersView>;

export const readPipeline = async (call: Call, signal?: AbortSignal): Promise<PipelineData> =>
  (await call<Reply<PipelineData>>('GET /api/admin/pipeline', { signal })).data;

export const readHistory = async (call: Call, signal?: AbortSignal): Promise<PipelineHistoryData> =>
  (await call<Reply<PipelineHistoryData>>('GET /api/admin/pipeline/history', { signal })).data;

export const pauseSink = (call: Call, id: string): Promise<unknown> =>
  call('POST /api/admin/pipeline/{id}/pause', { params: { id } });
export const resumeSink = (call: Call, id: string): Promise<unknown> =>
  call('POST /api/admin/pipeline/{id}/resume', { params: { id } });

export const listDeadLetters = (call: Call, query: AddressQuery, signal?: AbortSignal): Promise<List<DeadLetterRow>> =>
  call<List<DeadLetterRow>>('GET /api/admin/dead-letters', { query, signal });

export const readDeadLetter = async (call: Call, id: string, signal?: AbortSignal): Promise<DeadLetterRecord> =>
  (await call<Reply<DeadLetterRecord>>('GET /api/admin/dead-letters/{id}', { params: { id }, signal })).data;

export type DeadLetterAction = 'replay' | 'discard';

export const resolveDeadLetter = (call: Call, id: string, way: DeadLetterAction): Promise<unknown> =>
  way === 'replay'
    ? call('POST /api/admin/dead-letters/{id}/replay', { params: { id } })
    : call('DELETE /api/admin/dead-letters/{id}', { params: { id } });

/** All that wait and match, at most 1,000 at a time. */
export const resolveDeadLetters = async (
  call: Call,
  which: { readonly processor?: string; readonly reason?: string },
  way: DeadLetterAction,
): Promise<Settled> => {
  const asked = { body: which };
  return (
    way === 'replay'
      ? await call<Reply<Settled>>('POST /api/admin/dead-letters/replay', asked)
      : await call<Reply<Settled>>('POST /api/admin/dead-letters/discard', asked)
  ).data;
};
