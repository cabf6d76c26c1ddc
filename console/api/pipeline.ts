import type { z } from 'zod';
import type {
  LetterDetail,
  LetterView,
  PipelineHistoryView,
  PipelineView,
  SettledView,
} from '#schemas/http/admin/operations.ts';
import type { AddressQuery } from './link/address.ts';
import type { Call } from './link/call.ts';
import type { List } from './list.ts';

export type PipelineShown = z.output<typeof PipelineView>;
export type Processor = PipelineShown['processors'][number];
export type PipelineHistoryShown = z.output<typeof PipelineHistoryView>;
export type Letter = z.output<typeof LetterView>;
export type LetterRecord = z.output<typeof LetterDetail>;
type Settled = z.output<typeof SettledView>;

type Data<T> = { readonly data: T };

export const readPipeline = async (call: Call, signal?: AbortSignal): Promise<PipelineShown> =>
  (await call<Data<PipelineShown>>('GET /api/admin/pipeline', { signal })).data;

export const readHistory = async (call: Call, signal?: AbortSignal): Promise<PipelineHistoryShown> =>
  (await call<Data<PipelineHistoryShown>>('GET /api/admin/pipeline/history', { signal })).data;

export const pauseSink = (call: Call, id: string): Promise<unknown> =>
  call('POST /api/admin/pipeline/{id}/pause', { params: { id } });
export const resumeSink = (call: Call, id: string): Promise<unknown> =>
  call('POST /api/admin/pipeline/{id}/resume', { params: { id } });

export const listLetters = (call: Call, query: AddressQuery, signal?: AbortSignal): Promise<List<Letter>> =>
  call<List<Letter>>('GET /api/admin/dead-letters', { query, signal });

export const readLetter = async (call: Call, id: string, signal?: AbortSignal): Promise<LetterRecord> =>
  (await call<Data<LetterRecord>>('GET /api/admin/dead-letters/{id}', { params: { id }, signal })).data;

export type LetterWay = 'replay' | 'discard';

export const settleLetter = (call: Call, id: string, way: LetterWay): Promise<unknown> =>
  way === 'replay'
    ? call('POST /api/admin/dead-letters/{id}/replay', { params: { id } })
    : call('DELETE /api/admin/dead-letters/{id}', { params: { id } });

/** All that wait and match, at most 1,000 at a time. */
export const settleLetters = async (
  call: Call,
  which: { readonly processor?: string; readonly reason?: string },
  way: LetterWay,
): Promise<Settled> => {
  const asked = { body: which };
  return (
    way === 'replay'
      ? await call<Data<Settled>>('POST /api/admin/dead-letters/replay', asked)
      : await call<Data<Settled>>('POST /api/admin/dead-letters/discard', asked)
  ).data;
};
