import { z } from 'zod';
import { canonicalAddress } from '#domain/topology/address.ts';
import { CI_STATUSES } from '#domain/topology/topology.ts';
import { always } from '#schemas/http/always.ts';
import { bag, name } from '#schemas/http/cmdb/attributes.ts';
import { relationshipBag } from '#schemas/http/cmdb/relationships.ts';

/** CIs and relationships in imported and exported files (docs/cmdb.md). */

export const FORMATS = ['csv', 'jsonl'] as const;
export type TransferFormat = (typeof FORMATS)[number];
export const MEDIA_TYPES: Readonly<Record<TransferFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
};

/* Null removes an attribute or a custom field. */

/** Columns that an export adds and an import does not read. */
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
/** Looks like an address, with a prefix length or without. */
const ADDRESS_LIKE = /^(?:\d{1,4}(?:\.\d{1,4}){3}|[\da-f]*:[\da-f:.]*)(?:\/\d{1,3})?$/i;
const isWrongAddress = (value: unknown): boolean =>
  typeof value === 'string' &&
  value.length <= 64 &&
  ADDRESS_LIKE.test(value.trim()) &&
  canonicalAddress(value.trim().replace(/\/\d+$/, '')) === null;

/** A mistyped address would make events of another machine find this one, or none. */
const checkAddresses = ({ value, issues }: z.core.ParsePayload<z.output<typeof ciRow>>): void => {
  for (const bagName of ['attributes', 'custom_fields', 'customFields'] as const) {
    const address = value[bagName]?.ip_address;
    if (!isWrongAddress(address)) continue;
    const message = 'expected an IPv4 or IPv6 address';
    issues.push({ code: 'custom', input: value, path: [bagName, 'ip_address'], message });
  }
};

/** Columns of a CSV file; keys of bags have columns of their own. */
export const CI_BAGS = ['attributes', 'custom_fields', 'customFields'] as const;
export const CI_COLUMNS = Object.keys(ciRow.shape).filter((column) => !(CI_BAGS as readonly string[]).includes(column));

/** Custom fields are accepted in either spelling, or in both. */
export const CiRow = ciRow.check(always(checkAddresses)).transform(({ custom_fields, customFields, ...row }) => ({
  ...row,
  custom_fields: { ...custom_fields, ...customFields },
}));
export type CiRowInput = z.output<typeof CiRow>;

export const RelationshipRow = z.strictObject({
  type: name,
  source_ci: name,
  source_type: name.optional(),
  target_ci: name,
  target_type: name.optional(),
  attributes: relationshipBag.optional(),
  discovered_by: name.optional(),
  confidence: z.number().min(0).max(1).optional(),
  id: ignored,
  source_name: ignored,
  target_name: ignored,
  created_at: ignored,
});
export const RELATIONSHIP_BAGS = ['attributes'] as const;
export const RELATIONSHIP_COLUMNS = Object.keys(RelationshipRow.shape).filter((column) => column !== 'attributes');
export type RelationshipRowInput = z.output<typeof RelationshipRow>;

const ROW_ACTIONS = ['created', 'updated', 'unchanged', 'failed'] as const;
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
    stopped: z.boolean().meta({ description: 'Too many rows failed; the remaining rows were not processed' }),
    rows: z.array(
      z.object({
        row: count,
        action: z.enum(ROW_ACTIONS),
        id: z.string().nullable(),
        error: z.string().nullable(),
        changes: z
          .array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() }))
          .optional()
          .meta({ description: 'Dry run only: changes of the row' }),
      }),
    ),
    truncated: z.boolean().meta({ description: 'True if not all rows are listed' }),
    warnings: z.array(z.string()).meta({ description: 'Accepted values that are probably mistakes' }),
    ignored_columns: z
      .array(z.string())
      .meta({ description: 'CSV columns without a matching field; map them with `columns`' }),
  })
  .meta({ id: 'ImportReport' });
export type ImportReportBody = z.output<typeof ImportReport>;
export type RowReport = ImportReportBody['rows'][number];

/** Columns whose cells are always texts. */
export const RELATIONSHIP_TEXTS: ReadonlySet<string> = new Set(
  ['redundancy_group', 'protocol', 'criticality'].map((key) => `attributes.${key}`),
);
