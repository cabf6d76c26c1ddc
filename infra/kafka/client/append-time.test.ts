import { expect, test } from '@jest/globals';
import { openCodecs } from '#infra/kafka/codec/codecs.ts';
import { toInputs } from '#infra/kafka/owner/wire.ts';
import { openMemoryRegistry } from '#test/setup/memory-registry.ts';
import { NOON, occurs } from '#test/setup/runner-kit.ts';
import { topicSamples } from '#test/setup/topic-samples.ts';
import { receivedBy } from '../owner/wire.ts';

const HOUR = 3_600_000;

test('an API process whose clock is three hours ahead harms no other: the broker says when a record came', async () => {
  const ahead = NOON + 3 * HOUR;
  const codecs = await openCodecs(openMemoryRegistry());
  const untimed = occurs({ id: 'e1', timestamp: ahead, receivedAt: ahead });
  const recovered = {
    ask: { kind: 'recovered', source: 's', sourceId: 'e1', conditionId: null, at: ahead, untimed: true },
    receivedAt: ahead,
  } as const;
  const fetched = [untimed, recovered].map((record, offset) => ({
    offset: String(offset),
    timestamp: String(NOON),
    key: Buffer.from('acme'),
    value: codecs.encode('events.incoming', record),
  }));
  const reader = { topic: 'events.incoming', epoch: 1, codec: codecs.of('events.incoming') } as const;
  const values = (await toInputs(reader, fetched)).map(({ entry }) => entry.value);
  expect(values).toEqual([
    { ...untimed, receivedAt: NOON, ask: { ...untimed.ask, occurrence: expect.objectContaining({ timestamp: NOON }) } },
    { ...recovered, receivedAt: NOON, ask: { ...recovered.ask, at: NOON } },
  ]);
});

test('times that are believable stay as they are, and a record of a sound clock is the same object', () => {
  for (const record of topicSamples['events.incoming']) expect(receivedBy(record, record.receivedAt)).toBe(record);
  const event = occurs({ id: 'e1', timestamp: NOON - HOUR, receivedAt: NOON + HOUR });
  const { ask } = receivedBy(event, NOON);
  expect(ask).toEqual(event.ask);
});
