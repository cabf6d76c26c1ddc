import type { z } from 'zod';
import type { MappingBody, MappingTried } from '#schemas/http/admin/source-mapping.ts';
import type { Call, Reply } from './link/call.ts';

export type TriedEntry = z.output<typeof MappingTried>['results'][number];

/** Mapping of the bodies of a source to events; the server returns its errors. */
type Mapping = z.output<typeof MappingBody>['mapping'];

export const readMapping = async (call: Call, name: string, signal?: AbortSignal): Promise<Mapping> =>
  (
    await call<Reply<z.output<typeof MappingBody>>>('GET /api/admin/sources/{name}/mapping', {
      params: { name },
      signal,
    })
  ).data.mapping;

export const saveMapping = (call: Call, name: string, body: unknown): Promise<unknown> =>
  call('PUT /api/admin/sources/{name}/mapping', { params: { name }, body });

export const deleteMapping = (call: Call, name: string): Promise<unknown> =>
  call('DELETE /api/admin/sources/{name}/mapping', { params: { name } });

/** The events of a sample; nothing is stored. */
export const tryMapping = async (
  call: Call,
  name: string,
  body: { readonly mapping: unknown; readonly sample: unknown },
): Promise<readonly TriedEntry[]> =>
  (
    await call<Reply<z.output<typeof MappingTried>>>('POST /api/admin/sources/{name}/mapping/try', {
      params: { name },
      body,
    })
  ).data.results;
