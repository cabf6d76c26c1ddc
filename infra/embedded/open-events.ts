import { setImmediate } from 'node:timers/promises';
import type { OpenEvent } from '#domain/ports/processor.ts';
import type { Reading } from './database.ts';
import { readGathered, withLatest } from './event-gathered.ts';

/** Rows read between two turns of the event loop. */
const CHUNK = 2_000;

/** In the order in which `openEvents` reads them. */
const COLUMNS = `e.seq, t.position, e.tenant, e.id, e.identity, e.source, e.created_position, e.body ->> '$.sourceId', e.gathered, t.latest`;
type OpenRow = readonly [
  ...[seq: number, position: number, tenant: string, id: string, identity: string, source: string],
  ...[createdPosition: number, sourceId: string, gathered: string, latest: string | null],
];

const SOURCE_IDS = '"sourceIds":[';
const NO_CONDITIONS: OpenEvent['conditions'] = [];
const NO_DETAILS: OpenEvent['details'] = {};

/** Most events have neither conditions nor a second sourceId, and their text says so without being parsed. */
const restOf = (gathered: string, latest: string | null): Pick<OpenEvent, 'conditions' | 'details'> => {
  const hasIds = gathered.includes(SOURCE_IDS) || latest?.includes(SOURCE_IDS) === true;
  if (!hasIds && gathered.endsWith(',[]]')) return { conditions: NO_CONDITIONS, details: NO_DETAILS };
  const { details, conditions } = withLatest(readGathered(gathered), latest);
  return { conditions, details: hasIds ? { sourceIds: details.sourceIds } : NO_DETAILS };
};

/** The number before the newest `most` open events. */
const before = (reading: Reading, most: number): number => {
  const row = reading
    .arrays('SELECT seq FROM event INDEXED BY event_standing WHERE status <> 2 ORDER BY seq DESC LIMIT 1 OFFSET ?')
    .get(most) as unknown as [number] | undefined;
  return row?.[0] ?? 0;
};

/** What deduplication must know of the newest open events, in the order in which they are stored: reading in any other takes twice the time. */
export async function* openEvents(reading: Reading, most: number): AsyncGenerator<OpenEvent> {
  const rows = reading.arrays(
    `SELECT ${COLUMNS} FROM event e INDEXED BY event_standing CROSS JOIN tally t ON t.seq = e.seq
     WHERE e.status <> 2 AND e.seq > ? ORDER BY e.seq LIMIT ?`,
  );
  for (let last = before(reading, most); ; ) {
    const chunk = rows.all(last, CHUNK) as unknown as OpenRow[];
    for (const [, position, tenant, id, identity, source, createdPosition, sourceId, gathered, latest] of chunk) {
      const { conditions, details } = restOf(gathered, latest);
      yield { tenant, id, identity, source, sourceId, conditions, details, createdPosition, position };
    }
    if (chunk.length < CHUNK) return;
    last = chunk.at(-1)![0];
    await setImmediate();
  }
}
