/**
 * Fills a data directory with events in groups: `node bench/groups-fill.ts DIRECTORY EVENTS OPEN GROUPS`. Everything goes through the
 * tables of the store; the newest events are open, and the newest group is the largest.
 */
import type { EventPart } from '#domain/pipeline/processor.ts';
import { openTables, type Tables } from '#infra/embedded/open-tables.ts';
import { openCursorTable } from '#infra/embedded/records/cursor-table.ts';
import { type Database, openDatabase } from '#infra/embedded/redo-log/database.ts';
import { type GroupsWorld, partsOf, TENANT } from './groups-world.ts';
import { startOn } from './started.ts';
import { makeTenant } from './tenant.ts';

const BATCH = 5_000;
const CREATED: ReadonlySet<EventPart> = new Set(['created']);

const [directory = '', ...numbers] = process.argv.slice(2);
const [count = 1_000, open = 300, groups = 30] = numbers.map(Number);

function fill(database: Database, { events, correlation }: Tables, world: GroupsWorld): void {
  for (const part of partsOf(world, BATCH))
    database.transaction(() => {
      for (const event of part.events) events.write(event, CREATED);
      for (const group of part.groups) correlation.writeGroup(group);
    });
  openCursorTable(database).write(world.events);
}

const database = openDatabase(directory);
fill(database, openTables(database), { events: count, open, groups });
database.close();
const app = await startOn(directory);
await makeTenant(app.url, TENANT);
await app.stop();
