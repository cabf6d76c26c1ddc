import { z } from 'zod';
import { assertDefined } from '#domain/assert.ts';
import type { VersionChange } from '#domain/ports/topology/topology-history.ts';
import { changedFields, changedInRelationship, type FieldChange } from '#domain/topology/ci-diff.ts';
import { IsoTime, iso } from '#schemas/http/time.ts';

/** Changes around a CI. */

const NamedEnd = z.object({ id: z.string(), name: z.string().nullable() });
export const TopologyChangeBody = z
  .object({
    at: IsoTime,
    of: z.enum(['ci', 'relationship']),
    action: z.enum(['created', 'updated', 'deleted']),
    by: z.string().nullable().meta({ description: 'null for relationships' }),
    id: z.string(),
    name: z.string().nullable().meta({ description: 'Present for CIs' }),
    type: z.string(),
    revision: z.int().meta({ description: 'Version created or ended by the change' }),
    source: NamedEnd.nullable().meta({ description: 'Present for relationships' }),
    target: NamedEnd.nullable(),
    changes: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
  })
  .meta({ id: 'TopologyChange' });

type Versions = Pick<VersionChange, 'before' | 'after'>;
const actionOf = ({ before, after }: Versions): z.output<typeof TopologyChangeBody>['action'] => {
  if (after === null) return 'deleted';
  return before === null && after.revision === 1 ? 'created' : 'updated';
};

/** Returns the changes of an update; an earlier version that is not stored any more cannot be compared. */
const fieldsOf = (change: VersionChange): FieldChange[] => {
  if (change.before === null || change.after === null) return [];
  return change.of === 'ci'
    ? changedFields(change.before, change.after)
    : changedInRelationship(change.before, change.after);
};

export const topologyChangeBody = (
  change: VersionChange,
  names: ReadonlyMap<string, string>,
): z.output<typeof TopologyChangeBody> => {
  const end = (id: string) => ({ id, name: names.get(id) ?? null });
  const told = { at: iso(change.at), of: change.of, action: actionOf(change), changes: fieldsOf(change) };
  if (change.of === 'ci') {
    const { id, name, type, revision } = assertDefined(change.after ?? change.before, 'version');
    return { ...told, by: change.by, id, name, type, revision, source: null, target: null };
  }
  const { id, type, revision, source, target } = assertDefined(change.after ?? change.before, 'version');
  return { ...told, by: null, id, name: null, type, revision, source: end(source), target: end(target) };
};
