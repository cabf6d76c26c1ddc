import { z } from 'zod';
import { CiRow, FORMATS, RelationshipRow } from '#features/transfer/schemas/transfer.ts';
import { flag } from '#schemas/http/common.ts';
import { Held, MAX_SPAN_MS, RunCountsBody, span } from './sources.ts';

/** Complete or partial sets of CIs and relationships. */

export const SyncQuery = z.strictObject({
  full: flag()
    .optional()
    .meta({ description: 'The rows are the complete set of the source; what is missing is retired' }),
  dry_run: flag().optional(),
  grace: span(0, MAX_SPAN_MS)
    .optional()
    .meta({ description: 'Time until missing CIs and relationships are retired, up to 7d; default: immediately' }),
  confirm: flag()
    .optional()
    .meta({ description: 'Allow retiring more than 30% of the CIs or relationships that the source reported before' }),
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
    ...RunCountsBody.omit({ pods: true, alerts: true }).shape,
    held: Held.nullable(),
    rows: z.int().min(0),
    failed_rows: z.array(z.object({ row: z.int().min(0), error: z.string() })).meta({
      description: 'Skipped rows, up to 100. If a row is skipped, nothing is retired',
    }),
    errors: z.array(z.string()),
  })
  .meta({ id: 'TopologySyncReport' });
export type SyncReportBody = z.output<typeof SyncReport>;
