import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Event } from '#domain/event/event.ts';
import type { EventPart } from '#domain/pipeline/processor.ts';
import { partitionOf } from '#infra/kafka/client/partition.ts';
import { pipeline } from '#processors/pipeline.ts';
import { MINUTE, NOON, sampleEvent } from '#test/contract/samples.ts';
import { addresses } from './addresses.ts';
import { type OwnElasticsearch, ownElasticsearch } from './own-elasticsearch.ts';

const PARTITIONS = 24;
const TENANTS = Array.from({ length: 48 }, (_, n) => `tenant-${n}`);
const OPEN_PER_TENANT = 5;
const FEW = 2_000;
const MANY = 100_000;
const CHUNK = 5_000;

let few: OwnElasticsearch;
let many: OwnElasticsearch;

/** Resolved events of last month, and a few open ones of each tenant. */
const eventsOf = (resolved: number): Event[] => [
  ...Array.from({ length: resolved }, (_, n) => {
    const at = NOON - 40 * 24 * 60 * MINUTE + n;
    const times = { timestamp: at, firstOccurrence: at, lastOccurrence: at };
    return sampleEvent(n + 1, { ...times, tenant: TENANTS[n % TENANTS.length] as string, status: 'resolved' });
  }),
  ...TENANTS.flatMap((tenant, t) =>
    Array.from({ length: OPEN_PER_TENANT }, (_, n) => {
      const number = resolved + t * OPEN_PER_TENANT + n + 1;
      return sampleEvent(number, { tenant, timestamp: NOON, firstOccurrence: NOON, lastOccurrence: NOON });
    }),
  ),
];

const fill = async (own: OwnElasticsearch, resolved: number): Promise<void> => {
  const events = eventsOf(resolved).map((event) => ({ event, parts: new Set<EventPart>(['created']) }));
  const rest = { recoveries: [], deliveries: [], enriched: [], decisions: [], groups: [] };
  for (let from = 0; from < events.length; from += CHUNK)
    await own.pipeline.save({ ...rest, events: events.slice(from, from + CHUNK) });
};

beforeAll(async () => {
  [few, many] = [await ownElasticsearch(), await ownElasticsearch()];
  await fill(few, FEW);
  await fill(many, MANY);
}, 240_000);
afterAll(async () => {
  await few.close();
  await many.close();
});

/** Elasticsearch reads its own processor time again when the last reading is older than a second. */
const STATS_MS = 1_100;
/** Other work in between. */
const BESIDES_MS = 500;

/** Processor time of Elasticsearch, ms. */
const cpuMs = async (): Promise<number> => {
  await setTimeout(STATS_MS);
  const reply = await fetch(`${addresses().elasticsearch}/_nodes/stats/process`);
  const { nodes } = (await reply.json()) as {
    nodes: Record<string, { process: { cpu: { total_in_millis: number } } }>;
  };
  return Object.values(nodes)[0]!.process.cpu.total_in_millis;
};

/**
 * Does the work of a worker that starts alone: every processor is opened on every partition. Returns the open events
 * found.
 */
const restoreAll = async ({ pipeline: store }: OwnElasticsearch): Promise<number> => {
  let open = 0;
  for (let partition = 0; partition < PARTITIONS; partition++) {
    const mine = (tenant: string): boolean => partitionOf(tenant, PARTITIONS) === partition;
    await Promise.all(
      pipeline.map(async (processor) => {
        const state: unknown = processor.open();
        await processor.restore(state, store.restorable(mine), NOON);
        open += processor.sizes?.(state, NOON).open_events ?? 0;
      }),
    );
  }
  return open;
};

test('a start looks at what is open and recent, and not at all that is stored', async () => {
  const costs = new Map<OwnElasticsearch, number>();
  // The first round warms up.
  for (const round of [0, 1, 2]) {
    for (const own of [few, many]) {
      const before = await cpuMs();
      expect(await restoreAll(own)).toBe(TENANTS.length * OPEN_PER_TENANT);
      const cost = (await cpuMs()) - before;
      if (round > 0) costs.set(own, Math.min(costs.get(own) ?? Number.POSITIVE_INFINITY, cost));
    }
  }
  const [small, large] = [costs.get(few)!, costs.get(many)!];
  process.stderr.write(
    `restore on ${PARTITIONS} partitions: ${small} ms of processor time of Elasticsearch with ${FEW} `,
  );
  process.stderr.write(`stored events, ${large} ms with ${MANY}\n`);
  expect(large).toBeLessThan(3 * small + BESIDES_MS);
}, 240_000);
