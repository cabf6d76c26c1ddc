import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SEVERITIES, STATUSES } from '#domain/event/event.ts';
import { HOUR_MS } from '#domain/event/source-counts.ts';
import type { EventPart } from '#domain/pipeline/processor.ts';
import { histogramOf } from '#infra/embedded/summaries/histogram.ts';
import { NOON, sampleEvent } from '#test/contract/samples.ts';
import { memoryDatabase } from '#test/setup/empty-database.ts';
import { openEventTable } from './table.ts';

const MINUTE = 60_000;
const SOURCES = ['zabbix', 'nagios'] as const;

const write = fc.record({
  kind: fc.constant('write' as const),
  number: fc.integer({ min: 1, max: 12 }),
  status: fc.constantFrom(...STATUSES),
  severity: fc.constantFrom(...SEVERITIES),
  parts: fc.subarray<EventPart>(['state', 'said', 'tally']),
});
const remove = fc.record({ kind: fc.constant('remove' as const), number: fc.integer({ min: 1, max: 12 }) });
const change = fc.oneof({ weight: 4, arbitrary: write }, { weight: 1, arbitrary: remove });
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;
const round = fc.record({
  how: fc.constantFrom('submit', 'transaction', 'each', 'fails'),
  changes: fc.array(change, { maxLength: 8 }),
});

test('events are counted by source and hour as they stand, and histograms by hours are those of the events', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(round, { maxLength: 6 }), async (rounds) => {
      const database = memoryDatabase();
      const table = openEventTable(database);
      let position = 0;
      const carryOut = (changes: readonly Change[]): void => {
        for (const { number, ...asked } of changes) {
          const event = sampleEvent(number);
          if (asked.kind === 'remove') table.remove(event.tenant, event.id);
          else {
            const { status, severity, parts } = asked;
            // Source and time never change, and changed fields are named.
            const named = { source: SOURCES[number % 2]!, timestamp: NOON + (number - 6) * 47 * MINUTE };
            const [before] = table.latest([event]);
            const state = before === undefined || parts.includes('state') ? { status, severity } : {};
            table.write({ ...(before ?? { ...event, ...named }), ...state, position: ++position }, new Set(parts));
          }
        }
      };
      const failing = (changes: readonly Change[]) => () => {
        carryOut(changes);
        throw new Error('in the middle');
      };
      for (const { how, changes } of rounds) {
        // Deletions run outside of batches, as retention does; a batch writes an event once.
        const isBatch = how === 'submit' && changes.every(({ kind }) => kind === 'write');
        const once = [...new Map(changes.map((one) => [one.number, one])).values()];
        if (isBatch) await database.submit(() => carryOut(once));
        else if (how === 'fails') expect(() => database.transaction(failing(changes))).toThrow('in the middle');
        else if (how === 'each') carryOut(changes);
        else database.transaction(() => carryOut(changes));
        await database.applied();
      }
      const rows = (text: string) => database.arrays(text).all();
      expect(rows('SELECT tenant, hour, status, severity, n FROM event_hour ORDER BY 1, 2, 3, 4')).toEqual(
        rows(
          `SELECT tenant, timestamp / ${HOUR_MS}, status, severity, count(*) FROM event GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
        ),
      );
      expect(rows('SELECT * FROM event_count WHERE n <> 0 ORDER BY 1, 2, 3, 4')).toEqual(
        rows('SELECT tenant, source, status, severity, count(*) FROM event GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4'),
      );
      const range = { from: NOON - 250.5 * MINUTE, to: NOON + 200.25 * MINUTE };
      const filters = [{}, { statuses: ['open', 'resolved'] as const }, { severities: ['critical', 'info'] as const }];
      for (const filter of filters) {
        const by = (stepMs: number) =>
          histogramOf(database, { tenant: 'acme', filter, range: { ...range, stepMs } }).buckets;
        const added = new Map<number, Record<string, number>>();
        for (const { at, bySeverity } of by(30 * MINUTE)) {
          const bucket = Math.floor(at / (3 * HOUR_MS)) * 3 * HOUR_MS;
          const sum = added.get(bucket) ?? {};
          for (const [severity, n] of Object.entries(bySeverity)) sum[severity] = (sum[severity] ?? 0) + n;
          added.set(bucket, sum);
        }
        expect(by(3 * HOUR_MS)).toEqual([...added].map(([at, bySeverity]) => ({ at, bySeverity })));
      }
      database.close();
    }),
    { numRuns: 150 },
  );
});
