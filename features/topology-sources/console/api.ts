import type { z } from 'zod';
import type { SettingsHistoryPaths } from '#console/api/admin/settings-history.ts';
import type { Call, Reply } from '#console/api/link/call.ts';
import { type Versioned, versioned } from '#console/api/link/versioned.ts';
import type { List } from '#console/api/list.ts';
import type { SourceBody, SourcePutBody, SourceRunBody } from '#features/topology-sources/schemas/sources.ts';
import type { AlertKindBody } from '#schemas/http/admin/settings.ts';

export type TopologySourceData = z.output<typeof SourceBody>;
export type SourceRunData = z.output<typeof SourceRunBody>;
export type SourceInputData = z.input<typeof SourcePutBody>;
export type AlertKindData = AlertKindBody;

/** Begins the keys of all queries about topology sources. */
export const SOURCES = ['topology-sources'] as const;
/** If-Match of a source that must not exist yet. */
export const NEW_SOURCE = '"0"';

interface Asked {
  readonly signal: AbortSignal;
}

/** A tenant has at most 100. */
export const sourcesQuery = (call: Call) => ({
  queryKey: [...SOURCES, 'list'],
  queryFn: async ({ signal }: Asked): Promise<readonly TopologySourceData[]> =>
    (await call<List<TopologySourceData>>('GET /api/cmdb/sources', { query: { limit: 100 }, signal })).data,
});

export const readSource = async (
  call: Call,
  name: string,
  signal?: AbortSignal,
): Promise<TopologySourceData & Versioned> =>
  versioned(await call.whole<Reply<TopologySourceData>>('GET /api/cmdb/sources/{name}', { params: { name }, signal }));

interface SourcePutting {
  readonly etag: string | null;
  readonly isDryRun?: boolean;
}
export const putSource = async (
  call: Call,
  name: string,
  body: SourceInputData,
  { etag, isDryRun = false }: SourcePutting,
): Promise<SourceRunData> => {
  const query = isDryRun ? { dry_run: 'true' } : {};
  return (await call<Reply<SourceRunData>>('PUT /api/cmdb/sources/{name}', { params: { name }, query, body, etag }))
    .data;
};

export const removeSource = (call: Call, name: string): Promise<unknown> =>
  call('DELETE /api/cmdb/sources/{name}', { params: { name } });

export const runSource = async (call: Call, name: string, isDryRun: boolean): Promise<SourceRunData> => {
  const query = isDryRun ? { dry_run: 'true' } : {};
  return (await call<Reply<SourceRunData>>('POST /api/cmdb/sources/{name}/run', { params: { name }, query, body: {} }))
    .data;
};

export const confirmSource = async (call: Call, name: string): Promise<SourceRunData> =>
  (await call<Reply<SourceRunData>>('POST /api/cmdb/sources/{name}/confirm', { params: { name } })).data;

interface AlertKinds {
  readonly alerts: readonly AlertKindData[];
}
export const alertKindsQuery = (call: Call) => ({
  queryKey: ['alert-kinds'],
  queryFn: async ({ signal }: Asked): Promise<AlertKinds & Versioned> =>
    versioned(await call.whole<Reply<AlertKinds>>('GET /api/admin/settings/inbound', { signal })),
});
export const ALERT_KINDS_HISTORY: SettingsHistoryPaths = {
  list: 'GET /api/admin/settings/inbound/history',
  restore: 'POST /api/admin/settings/inbound/restore',
};

export const putAlertKinds = (call: Call, alerts: readonly AlertKindData[], etag: string | null): Promise<unknown> =>
  call('PUT /api/admin/settings/inbound', { body: { alerts }, etag });
