import type { z } from 'zod';
import type { DemoBody } from '#schemas/http/admin/demo.ts';
import type { SourceBody, SourceDetailBody } from '#schemas/http/admin/sources.ts';
import type { Call } from './link/call.ts';

export type Demo = z.output<typeof DemoBody>;
export type Source = z.output<typeof SourceBody>;
export type SourceDetail = z.output<typeof SourceDetailBody>;

interface Data<T> {
  readonly data: T;
}

export const readDemo = async (call: Call, signal?: AbortSignal): Promise<Demo> =>
  (await call<Data<Demo>>('GET /api/admin/demo', { signal })).data;

export const startDemo = async (call: Call): Promise<Demo> => (await call<Data<Demo>>('POST /api/admin/demo')).data;

export const deleteDemo = (call: Call): Promise<unknown> => call('DELETE /api/admin/demo');

export const listSources = async (call: Call, signal?: AbortSignal): Promise<readonly Source[]> =>
  (await call<Data<Source[]>>('GET /api/admin/sources', { signal })).data;

export const readSource = async (call: Call, name: string, signal?: AbortSignal): Promise<SourceDetail> =>
  (await call<Data<SourceDetail>>('GET /api/admin/sources/{name}', { params: { name }, signal })).data;

/** A token that may send to webhooks and nothing else; it is shown once. */
export const makeSourceToken = async (call: Call, name: string): Promise<string> => {
  const body = { name, scopes: ['events.webhook', 'events.ingest'] };
  return (await call<Data<{ readonly token: string }>>('POST /api/admin/tokens', { body })).data.token;
};
