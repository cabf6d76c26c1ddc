import { z } from 'zod';
import { known } from '#domain/known.ts';
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
    by: z.string().nullable().meta({ description: 'Null where it is not kept: of relationships' }),
    id: z.string(),
    name: z.string().nullable().meta({ description: 'Of a CI' }),
    type: z.string(),
    revision: z.int().meta({ description: 'Of the version that it made, or ended' }),
    source: NamedEnd.nullable().meta({ description: 'Of a relationship' }),
    target: NamedEnd.nullable(),
    changes: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
  })
  .meta({ id: 'TopologyChange' });

type Versions = Pick<VersionChange, 'before' | 'after'>;
const actionOf = ({ before, after }: Versions): z.output<typeof TopologyChangeBody>['action'] => {
  if (after === null) return 'deleted';
  return before === null && after.revision === 1 ? 'created' : 'updated';
};

/** Of an update; a version before it that is not kept any more is nothing to compare with. */
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
    const { id, name, type, revision } = known(change.after ?? change.before, 'version');
    return { ...told, by: change.by, id, name, type, revision, source: null, target: null };
  }
  const { id, type, revision, source, target } = known(change.after ?? change.before, 'version');
  return { ...told, by: null, id, name: null, type, revision, source: end(source), target: end(target) };
};
