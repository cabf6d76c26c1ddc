import { z } from 'zod';
import { both } from '#api/surfaces/both.ts';
import { type AnyEndpoint, type Context, endpoint, mount } from '#api/surfaces/endpoint.ts';
import { audit } from '#application/access/audit.ts';
import { joinEnds } from '#application/cmdb/join-ends.ts';
import type { RelationshipFilter } from '#domain/ports/topology/topology-queries.ts';
import { type Ci, relationshipType } from '#domain/topology/topology.ts';
import {
  FORMATS,
  ImportReport,
  type ImportReportBody,
  MEDIA_TYPES,
  type TransferFormat,
} from '#features/transfer/schemas/transfer.ts';
import { type CiQuery, ciFilterFields, ciFilterOf, pairsOf, pairsPattern } from '#schemas/http/cmdb/ci-filter.ts';
import { type Joined, relationshipBody } from '#schemas/http/cmdb/relationships.ts';
import { flag } from '#schemas/http/common.ts';
import { iso } from '#schemas/http/time.ts';
import { everyPage, exportLines, type Pages } from './export-file.ts';
import { ciImporter } from './import-cis.ts';
import { type Importer, type ImportInput, importFile } from './import-file.ts';
import { relationshipImporter } from './import-relationships.ts';
import { RowsReport } from './import-report.ts';
import { formatOf } from './read-rows.ts';

const MAX_BYTES = 64 * 1024 * 1024;
const PAGE = 1_000;

const format = z.enum(FORMATS);
const MAX_MAPPED = 200;
const columns = z
  .string()
  .max(16_384)
  .transform((text, ctx) => {
    const pairs = pairsOf(text);
    if (pairs !== null && pairs.length <= MAX_MAPPED) return new Map(pairs);
    ctx.addIssue({ code: 'custom', message: `expected Column:field, up to ${MAX_MAPPED} separated by commas` });
    return z.NEVER;
  })
  .meta({
    type: 'string',
    pattern: pairsPattern(MAX_MAPPED),
    description:
      'Column mapping for CSV, as Column:field, comma-separated: `Device type:attributes.model`. Escape commas and colons with a backslash',
  });
const ImportQuery = z.strictObject({
  dry_run: flag().optional(),
  format: format.optional(),
  columns: columns.optional(),
});
interface ImportRequest {
  readonly query: z.output<typeof ImportQuery>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
}
const readImport = ({ query, headers, body }: ImportRequest): ImportInput => ({
  format: formatOf(query.format, headers['content-type']),
  dryRun: query.dry_run ?? false,
  columns: query.columns ?? new Map(),
  body: body as AsyncIterable<Uint8Array>,
});

/** Audits the import as a whole; its change of each record was stored with it. */
const imported = async (kind: string, { dryRun }: ImportInput, context: Context, after: object): Promise<void> => {
  const target = { kind, id: context.requestId };
  if (!dryRun) await audit(context, { action: 'cmdb.imported', target, before: null, after });
};

/** Examples of files; the document shows its own when there are none. */
type Examples = Partial<Record<TransferFormat, { readonly example: string }>>;
const CI_FILES: Examples = { csv: { example: 'name,type,attributes.ip_address\nsw-1,network,10.1.0.20\n' } };
const RELATIONSHIP_FILES: Examples = {
  csv: { example: 'type,source_ci,target_ci\ndepends_on,web-1,db-1\n' },
  jsonl: { example: '{"type":"depends_on","source_ci":"web-1","target_ci":"db-1"}\n' },
};

const importing = <R, T extends { readonly id: string }>(
  kind: string,
  what: string,
  importer: Importer<R, T>,
  examples: Examples,
) => {
  const common = {
    method: 'post',
    path: `/cmdb/import/${kind}`,
    query: ImportQuery,
    bodyKind: 'stream',
    bodyTypes: {
      'text/csv': z.string().meta(examples.csv ?? {}),
      'application/x-ndjson': z.string().meta(examples.jsonl ?? {}),
      'application/octet-stream': z
        .string()
        .meta({ format: 'binary', description: 'Text format, with ?format=', ...examples.csv }),
    },
    maxBytes: MAX_BYTES,
    read: readImport,
    present: (report: ImportReportBody) => ({ body: report }),
  } as const;
  return endpoint<ImportInput, ImportReportBody>({
    id: `cmdb.import-${kind}`,
    summary: `Import ${what} from CSV or JSON lines`,
    description:
      'With `dry_run=true`, returns a preview and writes nothing. Recognizes NetBox and ServiceNow export columns. Unmapped columns are ignored and listed in `ignored_columns`.',
    tag: 'CMDB',
    permission: 'cmdb.write',
    limit: 'bulk',
    takesLong: true,
    mounts: both(common, ImportReport),
    async handle(input, context) {
      const report = new RowsReport();
      try {
        await importFile(context, importer, input, report);
      } catch (error) {
        if (report.summary.total > 0) await imported(kind, input, context, { ...report.summary, interrupted: true });
        throw error;
      }
      await imported(kind, input, context, report.summary);
      return report.body(input.dryRun);
    },
  });
};

interface Export<F> {
  readonly format: TransferFormat;
  readonly filter: F;
}
interface Download {
  readonly format: TransferFormat;
  readonly content: AsyncIterable<string>;
}
const download = (kind: string) =>
  ({
    method: 'get',
    path: `/cmdb/export/${kind}`,
    reply: z.string(),
    replyType: Object.values(MEDIA_TYPES),
    replyHeaders: ['Content-Disposition'],
    present: ({ format: asked, content }: Download) => ({
      raw: { type: MEDIA_TYPES[asked], content },
      body: undefined,
      headers: { 'Content-Disposition': `attachment; filename="${kind}.${asked}"` },
    }),
  }) as const;
const exporting = { tag: 'CMDB', permission: 'cmdb.read', limit: 'bulk', takesLong: true } as const;
const downloadOf = (asked: TransferFormat, columns: readonly string[], pages: Pages): Download => ({
  format: asked,
  content: exportLines(asked, columns, pages),
});
type LineOf<C extends readonly string[], Bag extends string> = Readonly<Record<C[number] | Bag, unknown>>;

const CI_COLUMNS = [
  'id',
  'external_key',
  'name',
  'type',
  'status',
  'description',
  'created_at',
  'updated_at',
  'created_by',
  'updated_by',
] as const;
const ciLine = (ci: Ci): LineOf<typeof CI_COLUMNS, 'attributes' | 'custom_fields'> => ({
  id: ci.id,
  external_key: ci.externalKey,
  name: ci.name,
  type: ci.type,
  status: ci.status,
  description: ci.description,
  created_at: iso(ci.createdAt),
  updated_at: iso(ci.updatedAt),
  created_by: ci.createdBy,
  updated_by: ci.updatedBy,
  attributes: ci.attributes,
  custom_fields: ci.customFields,
});
const RELATIONSHIP_COLUMNS = [
  'id',
  'type',
  'source_ci',
  'source_name',
  'target_ci',
  'target_name',
  'discovered_by',
  'confidence',
  'created_at',
] as const;
const relationshipLine = (joined: Joined): LineOf<typeof RELATIONSHIP_COLUMNS, 'attributes'> => {
  const { id, type, source, target, attributes, discovered_by, confidence, created_at } = relationshipBody(joined);
  return {
    id,
    type,
    source_ci: source.id,
    source_name: source.name,
    target_ci: target.id,
    target_name: target.name,
    discovered_by,
    confidence,
    created_at,
    attributes,
  };
};

const CiExportQuery = z.strictObject({ format: format.default('csv'), ...ciFilterFields });
const RelationshipQuery = z.strictObject({
  format: format.default('csv'),
  type: z.string().max(256).optional(),
  include_ai: flag().optional(),
});

const cis = {
  ...download('ci'),
  query: CiExportQuery,
  read: ({ query }: { query: z.output<typeof CiExportQuery> }): Export<CiQuery> => ({
    format: query.format,
    filter: query,
  }),
};
const exportCis = endpoint<Export<CiQuery>, Download>({
  ...exporting,
  id: 'cmdb.export-ci',
  summary: 'Export configuration items',
  mounts: [mount({ on: 'v1', ...cis }), mount({ on: 'platform', ...cis })],
  async handle({ format: asked, filter: query }, { tenant, ports, receivedAt }) {
    const filter = ciFilterOf(query, receivedAt);
    const page = { sort: 'name', order: 'asc', limit: PAGE } as const;
    const read = (cursor: string | null) =>
      ports.topology.findCis(tenant, filter, { ...page, ...(cursor === null ? { offset: 0 } : { cursor }) });
    return downloadOf(asked, CI_COLUMNS, async function* () {
      for await (const found of everyPage(read)) yield found.map(ciLine);
    });
  },
});

const relationships = {
  ...download('relationships'),
  query: RelationshipQuery,
  read: ({ query }: { query: z.output<typeof RelationshipQuery> }): Export<RelationshipFilter> => ({
    format: query.format,
    filter: {
      includeAi: query.include_ai ?? false,
      ...(query.type !== undefined && { type: relationshipType(query.type) }),
    },
  }),
};
const exportRelationships = endpoint<Export<RelationshipFilter>, Download>({
  ...exporting,
  id: 'cmdb.export-relationships',
  summary: 'Export relationships',
  mounts: [mount({ on: 'v1', ...relationships }), mount({ on: 'platform', ...relationships })],
  async handle({ format: asked, filter }, { tenant, ports }) {
    const page = { sort: 'created_at', order: 'asc', limit: PAGE } as const;
    const read = (cursor: string | null) =>
      ports.topology.findRelationships(tenant, filter, { ...page, ...(cursor === null ? { offset: 0 } : { cursor }) });
    return downloadOf(asked, RELATIONSHIP_COLUMNS, async function* () {
      for await (const found of everyPage(read)) yield (await joinEnds(ports, tenant, found)).map(relationshipLine);
    });
  },
});

export const transferEndpoints: readonly AnyEndpoint[] = [
  importing('ci', 'configuration items', ciImporter, CI_FILES),
  importing('relationships', 'relationships', relationshipImporter, RELATIONSHIP_FILES),
  exportCis,
  exportRelationships,
];
