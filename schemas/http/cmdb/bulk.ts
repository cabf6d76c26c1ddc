import { z } from 'zod';
import { CI_STATUSES } from '#domain/topology/topology.ts';
import { always } from '#schemas/http/always.ts';
import { exactlyOneOf } from '#schemas/http/common.ts';
import { bag, name } from './attributes.ts';
import { CiSelection } from './ci-filter.ts';

/** Changes and deletions of many CIs at once. */

/** CIs of one request. */
export const MAX_BULK = 1_000;

const patch = bag.nullable().optional().meta({ description: 'Merge patch (RFC 7396): null removes a key' });
const CiChanges = z
  .strictObject({
    type: name.optional(),
    status: z.enum(CI_STATUSES).optional(),
    description: z.string().max(32_768).nullable().optional(),
    attributes: patch,
    custom_fields: patch,
  })
  .refine((set) => Object.values(set).some((value) => value !== undefined), 'expected at least one change')
  .meta({ id: 'CiChanges', minProperties: 1 });

export const BulkCis = z
  .strictObject({
    ids: z.array(z.string().min(1).max(255)).min(1).max(MAX_BULK).optional(),
    filter: CiSelection.optional(),
    expect: z.int().min(0).max(MAX_BULK).optional().meta({
      description:
        'Expected number of matching CIs; any other number rejects the request. Required with a filter, except for dry runs',
    }),
    action: z.enum(['update', 'delete']),
    set: CiChanges.optional().meta({ description: 'Fields to update' }),
    cascade: z.boolean().default(false).meta({ description: 'For deletions: also delete relationships' }),
    dry_run: z.boolean().default(false),
  })
  .check(
    always(({ value, issues }) => {
      const told = (path: string, message: string) =>
        issues.push({ code: 'custom', input: value, path: [path], message });
      if ((value.ids === undefined) === (value.filter === undefined)) told('ids', 'expected either ids or filter');
      if (value.filter !== undefined && value.expect === undefined && !value.dry_run)
        told('expect', 'required with a filter: number of matching CIs (see a dry run)');
      if ((value.action === 'update') !== (value.set !== undefined))
        told('set', 'required with action update; not allowed otherwise');
    }),
  )
  .meta({
    id: 'BulkCis',
    allOf: [
      ...exactlyOneOf('ids', 'filter').allOf,
      {
        if: { properties: { action: { const: 'update' } } },
        // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
        then: { required: ['set'] },
        else: { not: { required: ['set'] } },
      },
      {
        if: { required: ['filter'], not: { required: ['dry_run'], properties: { dry_run: { const: true } } } },
        // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
        then: { required: ['expect'] },
      },
    ],
    example: { ids: ['01M7YYCSX1W0SAZZRHKVPG78N3'], action: 'update', set: { status: 'maintenance' }, dry_run: true },
  });
export type BulkCis = z.output<typeof BulkCis>;

const BULK_ACTIONS = ['updated', 'deleted', 'unchanged', 'failed'] as const;
const count = z.int().min(0);
export const BulkReport = z
  .object({
    dry_run: z.boolean(),
    matched: count,
    updated: count,
    deleted: count,
    unchanged: count,
    failed: count,
    rows: z.array(
      z.object({
        id: z.string(),
        name: z.string().nullable(),
        action: z.enum(BULK_ACTIONS),
        error: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'BulkCiReport' });
export type BulkReport = z.output<typeof BulkReport>;
export type BulkRow = BulkReport['rows'][number];

export const bulkReport = (rows: readonly BulkRow[], dryRun: boolean): BulkReport => {
  const of = (asked: BulkRow['action']): number => rows.filter(({ action }) => action === asked).length;
  const counts = { updated: of('updated'), deleted: of('deleted'), unchanged: of('unchanged'), failed: of('failed') };
  return { dry_run: dryRun, matched: rows.length, ...counts, rows: [...rows] };
};
