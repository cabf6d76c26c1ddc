import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Ask } from '#domain/event/incoming.ts';
import { correlationHits, eventsIncoming, eventsSaved, topics } from '#schemas/topics/topics.ts';
import type { TopicName } from '#schemas/topics/values.ts';
import { openMemoryRegistry } from '#test/setup/memory-registry.ts';
import { openRunner, ulidOf } from '#test/setup/runner-kit.ts';
import { prepareTopology, recordsOf, step } from '#test/setup/storm-steps.ts';
import { type Codecs, openCodecs } from './codecs.ts';

const by = { id: 'u', username: 'u', name: 'U' };
const [first, second] = [ulidOf('e0'), ulidOf('e1')];
const link = { other: second, score: 1, literalScore: 1, reasons: [] };
/** Requests that the storm lacks. */
const FURTHER: readonly Ask[] = [
  { kind: 'acknowledged', source: 's', sourceId: 'e0', conditionId: null, at: 0, author: 'bob' },
  { kind: 'bound', eventId: first, ci: { id: ulidOf('c1'), name: 'c1', type: 'server' } },
  { kind: 'related', eventId: first, links: [link], manual: true, by, notes: 'by hand' },
  { kind: 'status-set', eventId: first, status: 'suppressed', by, category: 'duplicate' },
  { kind: 'expired', eventId: first },
  { kind: 'forgotten' },
];

type Told = (topic: TopicName, value: unknown) => void;

/** Runs the whole pipeline in memory and returns all records on a topic. */
const run = async (steps: Parameters<typeof recordsOf>[0], told: Told): Promise<void> => {
  const kit = await openRunner();
  await prepareTopology(kit.topology);
  kit.faults.batch = (batch) => {
    for (const { name } of topics) for (const { value } of batch.entries(name)) told(name, value);
    const receipts = [...batch.receipts.values()].map((receipt, index) => ({ index, receipt }));
    told('events.receipts', { request: 'r', receipts });
  };
  const sent = recordsOf(steps);
  for (let from = 0; from < sent.length; from += 20)
    await Promise.all(
      sent.slice(from, from + 20).map(({ tenant, record }) => {
        kit.clock.set(record.receivedAt);
        told(eventsIncoming, record);
        return kit.runner.submit(tenant, [record], 5_000);
      }),
    );
  const receivedAt = kit.clock.now();
  for (const ask of FURTHER) await kit.runner.submit('now', [{ ask, receivedAt }], 5_000);
  await kit.close();
};

const through = (codecs: Codecs, topic: TopicName, value: unknown): unknown =>
  codecs.of(topic).decode(codecs.encode(topic, value));

const kindOf = (topic: TopicName, value: unknown): string => {
  const { kind, happened } = value as { kind?: string; happened?: string };
  if (topic === correlationHits) return `${topic} ${kind}`;
  return happened === 'forgotten' ? `${topic} forgotten` : topic;
};

test('every record of the pipeline comes back from Avro as it was', async () => {
  const codecs = await openCodecs(openMemoryRegistry());
  const seen = new Map<string, number>();
  const note = (key: string) => seen.set(key, (seen.get(key) ?? 0) + 1);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 120, size: 'max' }), async (steps) => {
      await run(steps, (topic, value) => {
        expect(through(codecs, topic, value)).toStrictEqual(value);
        note(kindOf(topic, value));
      });
    }),
    { numRuns: 8, endOnFailure: true },
  );
  const kinds = [
    ...['facts', 'hits', 'passed', 'forgotten'].map((kind) => `${correlationHits} ${kind}`),
    `${eventsSaved} forgotten`,
  ];
  const expected = ['events.incoming', 'events.saved', 'events.enriched', 'correlation.changes', 'events.receipts'];
  expect([...seen.keys()]).toEqual(expect.arrayContaining([...expected, ...kinds]));
}, 60_000);
