import type { Decision } from '#domain/correlation/records.ts';
import { Lru } from '#domain/lru.ts';
import { documentId } from '#infra/elasticsearch/cluster/names.ts';
import { all, term, terms } from '#infra/elasticsearch/cluster/query.ts';
import { searchValues } from '#infra/elasticsearch/cluster/search.ts';
import type { Store } from '#infra/elasticsearch/cluster/store.ts';
import type { DecisionDocument } from '#infra/elasticsearch/documents/correlation-documents.ts';
import { readMany } from '#infra/elasticsearch/documents/documents.ts';

/** Values of each field of a hit. */
interface DecisionFields {
  readonly _seq_no: readonly [number];
  readonly 'decision.eventId': readonly [string];
  readonly 'decision.position': readonly [number];
}

const FIELDS = ['_seq_no', 'decision.eventId', 'decision.position'] as const satisfies (keyof DecisionFields)[];
/** Links remembered in all, some 300 bytes each. */
const MAX_LINKS = 50_000;

type DecisionsOf = (tenant: string, eventIds: readonly string[], limit: number) => Promise<Decision[]>;

/**
 * Decisions about events, by position. They are large and never change, and events of one group are in the same ones, so
 * only new ones are read.
 */
export const openDecisions = ({ connection, names }: Store): DecisionsOf => {
  const known = new Lru<string, Decision>(MAX_LINKS, ({ accepted, refused }) => 1 + accepted.length + refused.length);
  return async (tenant, eventIds, limit) => {
    const hits = await searchValues<DecisionFields>(connection, FIELDS, {
      index: names.every('decisions'),
      size: limit,
      sort: [{ 'decision.position': 'asc' }],
      query: all(term('decision.tenant', tenant), terms('events', eventIds)),
    });
    const found = hits.map(({ index, fields }) => {
      const { _seq_no, 'decision.eventId': event, 'decision.position': position } = fields;
      const key = [index, _seq_no, event].join('/');
      return { key, held: known.get(key), index, id: documentId(tenant, String(position[0])) };
    });
    const missing = found.filter(({ held }) => held === undefined);
    const documents = await readMany<DecisionDocument>(connection, missing);
    const read = new Map(missing.map(({ key }, i) => [key, documents[i]?.decision]));
    for (const [key, decision] of read) if (decision !== undefined) known.set(key, decision);
    return found.flatMap(({ key, held }) => held ?? read.get(key) ?? []);
  };
};
