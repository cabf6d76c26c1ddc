import { relationshipEntry } from '#api/cmdb/change-entries.ts';
import type { Context } from '#api/endpoint.ts';
import { writtenByImport } from '#domain/discovery/provenance.ts';
import type { Binding, Ends } from '#domain/ports/topology-store.ts';
import { type Planned, planRelationship } from '#domain/topology/import.ts';
import { type Relationship, relationshipType } from '#domain/topology/topology.ts';
import { RELATIONSHIP_TEXTS, RelationshipRow, type RelationshipRowInput } from '#schemas/http/transfer.ts';
import type { Importer, Line } from './import-file.ts';

type Row = RelationshipRowInput;

const ENDS = ['source_ci', 'target_ci'] as const;

/** Ends are named by id, external key or, where only one CI has it, name. */
const bindEnds = async ({ ports, tenant }: Context, lines: readonly Line<Row>[]) => {
  const texts = [...new Set(lines.flatMap(({ value }) => [value.source_ci, value.target_ci]))];
  const bindings = await ports.topology.bind(
    tenant,
    texts.map((text) => ({ ciId: text, hints: [text] })),
  );
  return new Map(texts.map((text, index) => [text, bindings[index]!]));
};

const endError = (field: string, text: string, { ambiguous }: Binding): string =>
  ambiguous
    ? `${field}: several CIs are called ${text}: give the id or external key`
    : `${field}: no CI has the id, external key or name ${text}`;

/** What the line joins, or why it cannot. */
const endsOf = (line: Row, bindings: ReadonlyMap<string, Binding>): Ends | string => {
  const wrong = ENDS.find((field) => bindings.get(line[field])!.ci === null);
  if (wrong !== undefined) return endError(wrong, line[wrong], bindings.get(line[wrong])!);
  const [source, target] = ENDS.map((field) => bindings.get(line[field])!.ci!.id) as [string, string];
  return { source, target, type: relationshipType(line.type) };
};

export const relationshipImporter: Importer<Row, Relationship> = {
  schema: RelationshipRow,
  textColumns: RELATIONSHIP_TEXTS,
  keyOf: ({ type, source_ci, target_ci }) => JSON.stringify([relationshipType(type), source_ci, target_ci]),
  keyMissing: '',
  async plan(context, lines) {
    const { tenant, ports, caller, receivedAt: at } = context;
    const ends = await bindEnds(context, lines);
    const by = writtenByImport(caller.id);
    const found = lines.map(({ value }) => endsOf(value, ends));
    const known = await ports.topology.relationshipsBetween(
      tenant,
      found.filter((one) => typeof one !== 'string'),
    );
    let next = 0;
    return lines.map(({ value }, index): Planned<Relationship> => {
      const one = found[index]!;
      if (typeof one === 'string') return { action: 'failed', error: one };
      const before = known[next++] ?? null;
      return planRelationship(value, one, before, { tenant, newId: ports.ids.ulid(), at, by });
    });
  },
  write: ({ ports, tenant }, relationships, along) => ports.topology.putRelationships(tenant, relationships, along),
  entry: relationshipEntry,
};
