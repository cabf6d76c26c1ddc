import { z } from 'zod';
import { CiRow, FORMATS, RelationshipRow } from '#features/transfer/schemas/transfer.ts';
import { flag } from '#schemas/http/common.ts';
import { Held, MAX_SPAN_MS, RunCountsBody, span } from './sources.ts';

/** Complete or partial sets of CIs and relationships. */

export const SyncQuery = z.strictObject({
  full: flag().optional().meta({ description: 'The rows are all that the source has: what they do not name ends' }),
  dry_run: flag().optional(),
  grace: span(0, MAX_SPAN_MS)
    .optional()
    .meta({ description: 'Time until what is missing ends, up to 7d; default: at once' }),
  confirm: flag().optional().meta({ description: 'End more than 30% of what the source said before' }),
  format: z.enum(FORMATS).optional(),
});

/** Kind of a row; its other fields depend on it. */
export const RowKind = z.object({ kind: z.enum(['ci', 'relationship']) });
export const SyncCi = CiRow;
export const SyncRelationship = RelationshipRow;

export const SyncReport = z
  .object({
    source: z.string(),
    full: z.boolean(),
    dry_run: z.boolean(),
    ...RunCountsBody.omit({ pods: true }).shape,
    held: Held.nullable(),
    rows: z.int().min(0),
    failed_rows: z.array(z.object({ row: z.int().min(0), error: z.string() })).meta({
      description: 'Rows that were skipped, up to 100. With one, nothing ends',
    }),
    errors: z.array(z.string()),
  })
  .meta({ id: 'TopologySyncReport' });
export type SyncReportBody = z.output<typeof SyncReport>;
