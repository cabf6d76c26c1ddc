import type { estypes } from '@elastic/elasticsearch';
import { itemAt } from '#domain/assert.ts';
import type { Event } from '#domain/event/event.ts';
import type { HistoryRange, PastEvent } from '#domain/ports/events/event-history.ts';
import { slices } from '#domain/slices.ts';
import { type Connection, unavailable } from '#infra/elasticsearch/cluster/connection.ts';
import { all, range, term } from '#infra/elasticsearch/cluster/query.ts';
import { sourceOf } from '#infra/elasticsearch/cluster/search.ts';

interface HistoryOf extends HistoryRange {
  readonly tenant: string;
  readonly signatures: readonly string[];
}
interface Document {
  readonly event: Pick<Event, 'id' | 'timestamp'>;
  readonly resolvedAt?: number;
}

/** Searches sent at once; top hits of an aggregation end at 100. */
const AT_ONCE = 100;
const SOURCE = ['event.id', 'event.timestamp', 'resolvedAt'];

const pastEvent = ({ event, resolvedAt }: Document): PastEvent => ({
  id: event.id,
  timestamp: event.timestamp,
  resolvedAt: resolvedAt ?? null,
});

function eventsOf(answer: estypes.MsearchResponseItem<Document>): PastEvent[] {
  if ('error' in answer) throw unavailable(`${answer.error.type} ${answer.error.reason ?? ''}`);
  return answer.hits.hits.map((hit) => pastEvent(sourceOf(hit)));
}

/** Returns the newest events in the range by signature, newest first. */
export async function historyOf(
  connection: Connection,
  index: string,
  { tenant, signatures, from, to, limit }: HistoryOf,
): Promise<ReadonlyMap<string, readonly PastEvent[]>> {
  const asked = [...new Set(signatures)];
  const found = new Map<string, readonly PastEvent[]>();
  for (const chunk of slices(asked, AT_ONCE)) {
    const searches = chunk.flatMap((signature) => [
      { index, allow_partial_search_results: false, allow_no_indices: true },
      {
        size: limit,
        query: all(
          term('event.tenant', tenant),
          term('event.signature', signature),
          range('event.timestamp', { gte: from, lte: to }),
        ),
        sort: [{ 'event.timestamp': 'desc' }, { 'event.id': 'desc' }],
        _source: SOURCE,
        track_total_hits: false,
      },
    ]) as estypes.MsearchRequestItem[];
    const { responses } = await connection.ask((client) => client.msearch<Document>({ searches }));
    for (const [at, answer] of responses.entries()) {
      const events = eventsOf(answer);
      if (events.length > 0) found.set(itemAt(chunk, at), events);
    }
  }
  return found;
}
