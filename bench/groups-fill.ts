/**
 * Fills a data directory with events in groups: `node bench/groups-fill.ts DIRECTORY EVENTS OPEN GROUPS`. Everything goes through the
 * tables of the store; the newest events are open, and the newest group is the largest.
 */
import { start } from '#app';
import type { Group } from '#domain/correlation/records.ts';
import type { Event } from '#domain/event/event.ts';
import { create } from '#domain/event/life/occurrence.ts';
import { prepare } from '#domain/event/life/prepare.ts';
import type { EventPart } from '#domain/pipeline/processor.ts';
import { readConfig } from '#infra/config.ts';
import { type Database, openDatabase } from '#infra/embedded/journal/database.ts';
import { openTables, type Tables } from '#infra/embedded/open-tables.ts';
import { openCursorTable } from '#infra/embedded/records/cursor-table.ts';
import { systemClock } from '#infra/system/clock.ts';
import { randomIds } from '#test/setup/random-ids.ts';
import { GROUPED_SHARE, groupId, LARGEST, TENANT } from './groups-world.ts';
import { Storm } from './storm.ts';
import { TOKEN } from './token.ts';

const HOUR_MS = 3_600_000;
const DAYS_MS = 20 * 24 * HOUR_MS;
const BATCH = 5_000;
const CREATED: ReadonlySet<EventPart> = new Set(['created']);

const [directory = '', ...numbers] = process.argv.slice(2);
const [count = 1_000, open = 300, groups = 30] = numbers.map(Number);
const storm = new Storm({ tenants: 1, cis: 20_000 });
const now = systemClock.now();
const began = now - DAYS_MS;
const timeOf = (n: number): number => began + Math.floor((n / count) * DAYS_MS);

/** Where the largest group begins; before it groups follow each other. */
const LAST = count - LARGEST;
const groupOf = (n: number): number | null => {
  if (n >= LAST) return groups - 1;
  return n % 10 < 10 * GROUPED_SHARE ? Math.floor((n / LAST) * (groups - 1)) : null;
};

const eventOf = (n: number): Event => {
  const at = timeOf(n);
  const settings = { dedupScope: 'system', dedupWindowMs: HOUR_MS } as const;
  const draft = { ...storm.fresh(0), timestamp: at };
  const binding = { ci: null, ambiguous: false };
  const occurrence = prepare(draft, { binding, settings, newId: randomIds.ulid(), conditionId: null, receivedAt: at });
  const recoveredAt = n < count - open ? at + 60_000 : null;
  const asked = { tenant: TENANT, occurrence, time: at, seen: null, recoveredAt };
  const group = groupOf(n);
  const made = create(asked, { position: n + 1, receivedAt: at });
  return group === null ? made : { ...made, correlationId: groupId(group) };
};

const groupFrom = (number: number, members: readonly Event[]): Group => {
  const [first, last] = [members[0]!, members.at(-1)!];
  return {
    ...{ tenant: TENANT, id: groupId(number), aliases: [], mergedInto: null, size: members.length },
    status: number === 0 ? 'open' : 'closed',
    ...{ foundedBy: first.id, foundedAt: first.timestamp, first: first.timestamp, last: last.timestamp },
    candidate: {
      ...{ eventId: first.id, ciId: null, confidence: 0.5, reasoning: 'earliest_severe_event' },
      ...{ score: 0.8, alternatives: [{ eventId: last.id, score: 0.4 }], explains: [] },
    } as unknown as Group['candidate'],
    ...{ createdPosition: first.position, position: last.position },
  };
};

function fill(database: Database, { events, correlation }: Tables): void {
  let current: number | null = null;
  let members: Event[] = [];
  const close = (): void => {
    if (current !== null && members.length > 0) correlation.writeGroup(groupFrom(current, members));
    members = [];
  };
  for (let from = 0; from < count; from += BATCH) {
    database.transaction(() => {
      for (let n = from; n < Math.min(count, from + BATCH); n++) {
        const event = eventOf(n);
        events.write(event, CREATED);
        const group = groupOf(n);
        if (group === null) continue;
        if (group !== current) close();
        current = group;
        members.push(event);
      }
    });
  }
  database.transaction(close);
  openCursorTable(database).write(count);
}

const database = openDatabase(directory);
fill(database, openTables(database));
database.close();
const app = await start(
  readConfig({
    FAULTLINE_DATA: directory,
    PORT: '0',
    FAULTLINE_BOOTSTRAP_TOKEN: TOKEN,
    FAULTLINE_LIMIT_SCALE: '0',
    FAULTLINE_LOG_LEVEL: 'warn',
  }),
);
const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
const body = JSON.stringify({ id: TENANT, name: TENANT });
const { status } = await fetch(`${app.url}/api/admin/tenants`, { method: 'POST', headers, body });
if (status !== 201) throw new Error(`The tenant could not be made: ${status}`);
await app.stop();
