import { z } from 'zod';
import { both } from '#api/surfaces/both.ts';
import { endpoint } from '#api/surfaces/endpoint.ts';
import { heldBody, SourceName } from '#features/topology-sources/schemas/sources.ts';
import { SyncQuery, SyncReport, type SyncReportBody } from '#features/topology-sources/schemas/sync.ts';
import { syncSet } from '#features/topology-sources/use-cases/sync.ts';
import { formatOf } from '#features/transfer/http/read-rows.ts';
import type { TransferFormat } from '#features/transfer/schemas/transfer.ts';
import { readSet } from './rows.ts';

const MAX_BYTES = 64 * 1024 * 1024;
const EXAMPLE =
  '{"kind":"ci","external_key":"erp/db-1","name":"db-1","type":"database"}\n{"kind":"ci","external_key":"erp/app-1","name":"app-1","type":"application"}\n{"kind":"relationship","type":"depends_on","source_ci":"erp/app-1","target_ci":"erp/db-1"}\n';

const CSV_EXAMPLE = 'kind,external_key,name,type\nci,erp/db-1,db-1,database\n';

interface SyncRequest {
  readonly source: string;
  readonly query: z.output<typeof SyncQuery>;
  readonly format: TransferFormat;
  readonly body: AsyncIterable<Uint8Array>;
}

const common = {
  method: 'post',
  path: '/cmdb/sync/{source}',
  params: z.object({ source: SourceName }),
  query: SyncQuery,
  bodyKind: 'stream',
  bodyTypes: {
    'application/x-ndjson': z.string().meta({ example: EXAMPLE }),
    'text/csv': z.string().meta({ example: CSV_EXAMPLE }),
    'application/octet-stream': z
      .string()
      .meta({ format: 'binary', description: 'Text format, with ?format=', example: CSV_EXAMPLE }),
  },
  maxBytes: MAX_BYTES,
  read: ({
    params,
    query,
    headers,
    body,
  }: {
    params: { source: string };
    query: z.output<typeof SyncQuery>;
    headers: Readonly<Record<string, string | undefined>>;
    body: unknown;
  }): SyncRequest => ({
    source: params.source,
    query,
    format: formatOf(query.format, headers['content-type']),
    body: body as AsyncIterable<Uint8Array>,
  }),
  present: (report: SyncReportBody) => ({ body: report }),
} as const;

export const syncEndpoint = endpoint<SyncRequest, SyncReportBody>({
  id: 'cmdb.sync',
  summary: 'Send the CIs and relationships of a source',
  description:
    'Rows as in imports, each with `kind`: `ci` or `relationship`. With `full=true`, CIs and relationships that the source no longer reports are retired after the grace period, unless a user or another source also maintains them. A sync that would retire more than 30% returns 409 with `held` and changes nothing.',
  tag: 'CMDB',
  permission: 'cmdb.write',
  limit: 'bulk',
  takesLong: true,
  alsoFaults: ['conflict'],
  mounts: both(common, SyncReport),
  async handle({ source, query, format, body }, context) {
    const { set, rows, failed, isComplete } = await readSet(format, body);
    const [full, dryRun] = [query.full ?? false, query.dry_run ?? false];
    const { cis, relationships, held, errors } = await syncSet(
      context,
      // An unreadable row may describe a CI that would be missing without it, so the set is incomplete.
      { source, full: full && isComplete, dryRun, confirm: query.confirm ?? false, graceMs: query.grace ?? 0 },
      set,
    );
    return {
      source,
      full,
      dry_run: dryRun,
      cis,
      relationships,
      held: heldBody(held),
      rows,
      failed_rows: [...failed],
      errors: [...errors],
    };
  },
});
