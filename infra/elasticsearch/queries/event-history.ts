import { lastItem } from '#domain/assert.ts';
import type { HistoryRange, PastEvent } from '#domain/ports/events/event-history.ts';
import type { Connection } from '#infra/elasticsearch/cluster/connection.ts';
import { all, range, term, terms } from '#infra/elasticsearch/cluster/query.ts';
import { type SearchAfter, searchValues } from '#infra/elasticsearch/cluster/search.ts';

interface HistoryOf extends HistoryRange {
  readonly tenant: string;
  readonly signatures: readonly string[];
}

/** Values of each field of a hit. */
interface PastFields {
  readonly 'event.id': readonly [string];
  readonly 'event.signature': readonly [string];
  readonly 'event.timestamp': readonly [number];
  readonly resolvedAt?: readonly [number];
}

/** Events read at once. */
const PAGE = 2_000;
const FIELDS = ['event.id', 'event.signature', 'event.timestamp', 'resolvedAt'] as const satisfies (keyof PastFields)[];

const pastEvent = ({ resolvedAt, ...event }: PastFields): PastEvent => ({
  id: event['event.id'][0],
  timestamp: event['event.timestamp'][0],
  resolvedAt: resolvedAt?.[0] ?? null,
});

/**
 * Returns the newest events in the range by signature, newest first: most signatures have few, so one search asks for
 * all, and further ones for those of which more is missing.
 */
export async function historyOf(
  connection: Connection,
  index: string,
  { tenant, signatures, from, to, limit }: HistoryOf,
): Promise<ReadonlyMap<string, readonly PastEvent[]>> {
  const found = new Map<string, PastEvent[]>();
  let missing = [...new Set(signatures)];
  let after: SearchAfter | undefined;
  while (missing.length > 0) {
    const hits = await searchValues<PastFields>(connection, FIELDS, {
      index,
      size: PAGE,
      query: all(
        term('event.tenant', tenant),
        terms('event.signature', missing),
        range('event.timestamp', { gte: from, lte: to }),
      ),
      sort: [{ 'event.timestamp': 'desc' }, { 'event.id': 'desc' }],
      ...(after && { search_after: after }),
    });
    for (const { fields } of hits) {
      const [signature] = fields['event.signature'];
      const known = found.get(signature) ?? [];
      found.set(signature, known);
      if (known.length < limit) known.push(pastEvent(fields));
    }
    if (hits.length < PAGE) break;
    after = lastItem(hits).end;
    missing = missing.filter((signature) => (found.get(signature)?.length ?? 0) < limit);
  }
  return found;
}
