import { z } from 'zod';
import { CI_STATUSES } from '#domain/topology/topology.ts';
import { bag, name, typeName } from './attributes.ts';
import { relationshipBag } from './cmdb-relationships.ts';

/** CIs and relationships that come and go in files (docs/import.md). */

export const FORMATS = ['csv', 'jsonl'] as const;
export type Format = (typeof FORMATS)[number];
export const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
};

/* In attributes and custom fields null removes. */

/** What an export adds and an import does not read. */
const ignored = z.unknown().optional();
const ciRow = z.strictObject({
  name: name.optional(),
  type: name.optional(),
  status: z.enum(CI_STATUSES).optional(),
  description: z.string().max(32_768).nullable().optional(),
  external_key: name.optional(),
  attributes: bag.optional(),
  custom_fields: bag.optional(),
  customFields: bag.optional(),
  id: ignored,
  created_at: ignored,
  updated_at: ignored,
  created_by: ignored,
  updated_by: ignored,
});
/** Custom fields come in either spelling, or in both. */
export const CiRow = ciRow.transform(({ custom_fields, customFields, ...row }) => ({
  ...row,
  custom_fields: { ...custom_fields, ...customFields },
}));
export type CiRowInput = z.output<typeof CiRow>;

export const RelationshipRow = z.strictObject({
  type: typeName,
  source_ci: name,
  target_ci: name,
  attributes: relationshipBag.optional(),
  discovered_by: name.optional(),
  confidence: z.number().min(0).max(1).optional(),
  id: ignored,
  source_name: ignored,
  target_name: ignored,
  created_at: ignored,
});
export type RelationshipRowInput = z.output<typeof RelationshipRow>;

export const ROW_ACTIONS = ['created', 'updated', 'unchanged', 'failed'] as const;
const count = z.int().min(0);
/** Rows are counted from 1, without the header. */
export const ImportReport = z
  .object({
    dry_run: z.boolean(),
    total: count,
    created: count,
    updated: count,
    unchanged: count,
    failed: count,
    stopped: z.boolean().meta({ description: 'Too many rows failed: the rest was not looked at' }),
    rows: z.array(
      z.object({
        row: count,
        action: z.enum(ROW_ACTIONS),
        id: z.string().nullable(),
        error: z.string().nullable(),
      }),
    ),
    truncated: z.boolean().meta({ description: 'More rows than are listed' }),
  })
  .meta({ id: 'ImportReport' });
export type ImportReportBody = z.output<typeof ImportReport>;
export type RowReport = ImportReportBody['rows'][number];

/** Columns whose cells are texts, whatever they look like. */
export const RELATIONSHIP_TEXTS: ReadonlySet<string> = new Set(
  ['redundancy_group', 'protocol', 'criticality'].map((key) => `attributes.${key}`),
);
