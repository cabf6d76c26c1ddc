import { z } from 'zod';
import { assertDefined } from '#domain/assert.ts';
import { changedFields } from '#domain/topology/ci-diff.ts';
import type { CiChange } from '#domain/topology/topology.ts';
import { IsoTime, iso } from '#schemas/http/time.ts';

/** One change of a CI as the history shows it. */
export const CiChangeBody = z
  .object({
    revision: z.int().meta({ description: 'Version created or ended by the change' }),
    at: IsoTime,
    action: z.enum(['created', 'updated', 'deleted', 'merged']),
    by: z.string().nullable(),
    merged_into: z.string().optional().meta({ description: 'ID of the CI it was merged into' }),
    changes: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
  })
  .meta({ id: 'CiChange' });

/** `mergedInto`: where the end of the CI led to. */
export const ciChangeBody = (
  { at, by, before, after }: CiChange,
  mergedInto: string | null,
): z.output<typeof CiChangeBody> => {
  if (after === null) {
    const ended = { revision: assertDefined(before, 'version').revision, at: iso(at), by, changes: [] };
    return mergedInto === null
      ? { ...ended, action: 'deleted' }
      : { ...ended, action: 'merged', merged_into: mergedInto };
  }
  const { revision } = after;
  // The version before a later one may be gone: then its change is unknown.
  const changes = before === null && revision > 1 ? [] : changedFields(before, after);
  return { revision, at: iso(at), action: revision === 1 ? 'created' : 'updated', by, changes };
};
