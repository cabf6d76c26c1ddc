import { relationshipEntry } from '#application/cmdb/change-entries.ts';
import { type FoundEnd, findEnds, type NamedEnd } from '#application/cmdb/find-ends.ts';
import { itemAt } from '#domain/assert.ts';
import type { Ends } from '#domain/ports/topology/topology-queries.ts';
import { changedInRelationship } from '#domain/topology/ci-diff.ts';
import { type Planned, planRelationship } from '#domain/topology/import.ts';
import { type Relationship, relationshipType } from '#domain/topology/topology.ts';
import { relationshipTypeWarning } from '#domain/topology/vocabulary.ts';
import { writtenByImport } from '#features/discovery/rules/provenance.ts';
import {
  RELATIONSHIP_BAGS,
  RELATIONSHIP_COLUMNS,
  RELATIONSHIP_TEXTS,
  RelationshipRow,
  type RelationshipRowInput,
} from '#features/transfer/schemas/transfer.ts';
import { RELATIONSHIP_FOREIGN } from './foreign-columns.ts';
import type { Importer } from './import-file.ts';

const ENDS = ['source', 'target'] as const;
const endOf = (line: RelationshipRowInput, end: (typeof ENDS)[number]): NamedEnd => ({
  text: line[`${end}_ci`],
  type: line[`${end}_type`],
});

/** The CIs that the line joins, or why it cannot. */
const endsOf = (line: RelationshipRowInput, find: (end: NamedEnd) => FoundEnd): Ends | string => {
  const [source, target] = ENDS.map((end) => find(endOf(line, end))) as [FoundEnd, FoundEnd];
  if ('error' in source) return `source_ci: ${source.error}`;
  if ('error' in target) return `target_ci: ${target.error}`;
  return { source: source.id, target: target.id, type: relationshipType(line.type) };
};

export const relationshipImporter: Importer<RelationshipRowInput, Relationship> = {
  schema: RelationshipRow,
  columns: {
    names: RELATIONSHIP_COLUMNS,
    bags: RELATIONSHIP_BAGS,
    texts: RELATIONSHIP_TEXTS,
    foreign: RELATIONSHIP_FOREIGN,
  },
  keyOf: ({ type, source_ci, source_type, target_ci, target_type }) =>
    JSON.stringify([relationshipType(type), source_ci, source_type, target_ci, target_type]),
  keyMissing: '',
  async plan(context, lines) {
    const { tenant, ports, caller, receivedAt: at } = context;
    const ends = await findEnds(
      context,
      lines.flatMap(({ value }) => ENDS.map((end) => endOf(value, end))),
    );
    const by = writtenByImport(caller.id);
    const found = lines.map(({ value }) => endsOf(value, ends));
    const known = await ports.topology.relationshipsBetween(
      tenant,
      found.filter((one) => typeof one !== 'string'),
    );
    let next = 0;
    return lines.map(({ value }, index): Planned<Relationship> => {
      const one = itemAt(found, index);
      if (typeof one === 'string') return { action: 'failed', error: one };
      const before = known[next++] ?? null;
      return planRelationship(value, one, before, { tenant, newId: ports.ids.ulid(), at, by });
    });
  },
  write: ({ ports, tenant }, relationships, sideRecords) => ports.relationships.put(tenant, relationships, sideRecords),
  met: async () => {},
  changes: changedInRelationship,
  warning: ({ type }) => relationshipTypeWarning(relationshipType(type)),
  entry: relationshipEntry,
};
