import type { OpenEvent } from '#domain/pipeline/processor.ts';
import { readAccumulated, withLatest } from '#infra/embedded/events/row.ts';
import type { Reading } from '#infra/embedded/journal/connections.ts';
import type { ReadAhead } from './read-ahead.ts';

/** Rows of an answer. */
const CHUNK = 2_000;

/** Of `gathered` and `latest` only what has to be looked into: most events have neither conditions nor a second sourceId. */
const SOURCE_IDS = `'"sourceIds":['`;
const HAS_IDS = `instr(e.gathered, ${SOURCE_IDS}) OR ifnull(instr(t.latest, ${SOURCE_IDS}), 0)`;
/** In the order in which `openEvents` reads them. */
const COLUMNS = `t.position, e.tenant, e.id, e.identity, e.source, e.created_position, e.body ->> '$.sourceId',
  CASE WHEN ${HAS_IDS} OR substr(e.gathered, -4) <> ',[]]' THEN e.gathered END, CASE WHEN ${HAS_IDS} THEN t.latest END`;
type OpenRow = readonly [
  ...[position: number, tenant: string, id: string, identity: string, source: string],
  ...[createdPosition: number, sourceId: string, gathered: string | null, latest: string | null],
];

const NO_CONDITIONS: OpenEvent['conditions'] = [];
const NO_DETAILS: OpenEvent['details'] = {};

const restOf = (gathered: string | null, latest: string | null): Pick<OpenEvent, 'conditions' | 'details'> => {
  if (gathered === null) return { conditions: NO_CONDITIONS, details: NO_DETAILS };
  const { details, conditions } = withLatest(readAccumulated(gathered), latest);
  return { conditions, details: 'sourceIds' in details ? { sourceIds: details.sourceIds } : NO_DETAILS };
};

/** The number before the newest `most` open events. */
const before = (reading: Reading, most: number): number => {
  const row = reading
    .arrays<[number]>(
      'SELECT seq FROM event INDEXED BY event_standing WHERE status <> 2 ORDER BY seq DESC LIMIT 1 OFFSET ?',
    )
    .get(most);
  return row?.[0] ?? 0;
};

/** Numbers between which there are `CHUNK` open events each, from the index alone. */
function spans(reading: Reading, most: number): [after: number, through: number][] {
  const statement = reading.arrays<[number]>(
    'SELECT seq FROM event INDEXED BY event_standing WHERE status <> 2 AND seq > ? ORDER BY seq LIMIT 1 OFFSET ?',
  );
  const found: [number, number][] = [];
  for (let after = before(reading, most); ; ) {
    const end = statement.get(after, CHUNK - 1);
    found.push([after, end?.[0] ?? Number.MAX_SAFE_INTEGER]);
    if (end === undefined) return found;
    after = end[0];
  }
}

const openEventOf = (row: OpenRow): OpenEvent => {
  const [position, tenant, id, identity, source, createdPosition, sourceId, gathered, latest] = row;
  const { conditions, details } = restOf(gathered, latest);
  return { tenant, id, identity, source, sourceId, conditions, details, createdPosition, position };
};

async function* eventsOf(chunks: AsyncIterable<readonly OpenRow[]>): AsyncGenerator<OpenEvent[]> {
  for await (const chunk of chunks) yield chunk.map(openEventOf);
}

/**
 * The newest open events for deduplication, in the order in which they are stored: any other order takes twice the time. Begins to
 * read at once.
 */
export const openEvents = (reading: Reading, ahead: ReadAhead, most: number): AsyncGenerator<OpenEvent[]> =>
  eventsOf(
    ahead.rows<OpenRow>(
      `SELECT ${COLUMNS} FROM event e INDEXED BY event_standing CROSS JOIN tally t ON t.seq = e.seq
       WHERE e.status <> 2 AND e.seq > ? AND e.seq <= ? ORDER BY e.seq`,
      spans(reading, most),
    ),
  );
