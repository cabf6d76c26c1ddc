import { describe, expect, test } from '@jest/globals';
import { changePublishingCis, changePublishingRelationships } from '#infra/change-publishing-topology.ts';
import { openCodecs } from '#infra/kafka/codec/codecs.ts';
import { changesOf } from '#infra/kafka/live/live-changes.ts';
import { openMetrics } from '#infra/metrics/metrics.ts';
import { topologyChanged } from '#schemas/topics/topics.ts';
import { aCi, aRelationship, TENANT } from '#test/contract/topology-samples.ts';
import { memoryTopology } from '#test/setup/embedded.ts';
import { openMemoryRegistry } from '#test/setup/memory-registry.ts';
import { setClock } from '#test/setup/set-clock.ts';
import type { Append, ProducerConnection } from './appender.ts';
import { openProducer } from './producer.ts';
import { openTelling } from './topology-changes.ts';

const codecs = await openCodecs(openMemoryRegistry());

/** A store whose changes go through a real producer into `appended`. */
const open = () => {
  const appended: Append[] = [];
  const warnings: string[] = [];
  const connection: ProducerConnection = {
    async append(append) {
      appended.push(append);
      return { baseOffset: 0 };
    },
    end: () => undefined,
  };
  const quiet = { info: () => undefined, warn: (_: object, message: string) => void warnings.push(message) };
  const producer = openProducer({ connect: () => connection, writer: 'writer-1', clock: setClock(0), log: quiet });
  const { metrics, text } = openMetrics({ version: '0', mode: 'test', node: '0' });
  const { ports } = memoryTopology();
  const tell = openTelling({ producer, codecs, partitions: 4, metrics, log: quiet });
  const told = () =>
    appended.flatMap(({ messages }) => messages.map(({ value }) => codecs.of(topologyChanged).decode(value as Buffer)));
  const sent = () => producer.close(1_000);
  const { cis, relationships } = ports;
  const announced = {
    ...ports,
    cis: changePublishingCis(cis, tell),
    relationships: changePublishingRelationships(relationships, tell),
  };
  return { ports: announced, tell, producer, told, sent, warnings, text };
};

describe('A change of the topology', () => {
  test('is told of both CIs of a merge', async () => {
    const { ports, told, sent } = open();
    await ports.cis.put(TENANT, [aCi('a'), aCi('b')]);
    const into = aCi('a', { formerly: ['b'], revision: 2 });
    await ports.cis.merge(TENANT, { into, from: { id: 'b', revision: 1 }, at: 200, by: 'me' });
    await ports.cis.merge(TENANT, { into, from: { id: 'b', revision: 1 }, at: 200, by: 'me' });
    await sent();
    expect(told().slice(1)).toEqual([
      { tenant: TENANT, of: 'ci', kind: 'updated', ids: ['a'], version: 2 },
      { tenant: TENANT, of: 'ci', kind: 'removed', ids: ['b'], version: 3 },
    ]);
  });

  test('is told once it is made: what, of which kind, growing numbers', async () => {
    const { ports, told, sent } = open();
    await ports.cis.put(TENANT, [aCi('a'), aCi('b')]);
    await ports.cis.put(TENANT, [aCi('a', { revision: 2 }), aCi('c')]);
    await ports.relationships.put(TENANT, [aRelationship('1', 'a', 'b'), aRelationship('2', 'a', 'c')]);
    await ports.relationships.remove(TENANT, '1', 200);
    await ports.cis.remove(TENANT, 'a', 300, { cascade: true });
    await ports.cis.remove(TENANT, 'a', 300);
    await sent();
    const [ci, relationship] = (['ci', 'relationship'] as const).map((of) => ({ tenant: TENANT, of }));
    expect(told()).toEqual(
      [
        { ...ci, kind: 'created', ids: ['a', 'b'] },
        { ...ci, kind: 'created', ids: ['c'] },
        { ...ci, kind: 'updated', ids: ['a'] },
        { ...relationship, kind: 'created', ids: ['1', '2'] },
        { ...relationship, kind: 'removed', ids: ['1'] },
        { ...relationship, kind: 'removed', ids: ['2'] },
        { ...ci, kind: 'removed', ids: ['a'] },
      ].map((change, index) => ({ ...change, version: index + 1 })),
    );
  });

  test.each(['scan', 'silence', 'group'] as const)(
    'tells along of a %s, of which a record alone changed',
    async (of) => {
      const { tell, told, sent } = open();
      tell({ tenant: TENANT, of, kind: 'updated', ids: ['one'] });
      await sent();
      const [change] = told();
      expect(change).toEqual({ tenant: TENANT, of, kind: 'updated', ids: ['one'], version: 1 });
      const bytes = codecs.encode(topologyChanged, change);
      expect(await changesOf(codecs, topologyChanged, bytes)).toEqual([{ of, id: 'one', count: 1, isNew: false }]);
    },
  );

  test('that is refused is not told', async () => {
    const { ports, told, sent } = open();
    await expect(ports.relationships.put(TENANT, [aRelationship('1', 'x', 'y')])).rejects.toMatchObject({});
    expect(await ports.relationships.remove(TENANT, '1', 200)).toBeNull();
    await sent();
    expect(told()).toEqual([]);
  });

  test('of many CIs is told in several records', async () => {
    const { ports, told, sent } = open();
    const ids = Array.from({ length: 10_001 }, (_, n) => `ci-${n}`);
    await ports.cis.put(
      TENANT,
      ids.map((id) => aCi(id)),
    );
    await sent();
    expect(told().map((change) => change.ids.length)).toEqual([10_000, 1]);
    expect(told().flatMap((change) => change.ids)).toEqual(ids);
  });

  test('that cannot be told is made all the same, counted and logged', async () => {
    const { ports, producer, warnings, text } = open();
    await producer.close(0);
    await ports.cis.put(TENANT, [aCi('a')]);
    expect(await ports.counts.cis(TENANT)).toBe(1);
    expect(await text()).toContain('faultline_topology_changes_untold_total 1');
    expect(warnings).toEqual([expect.stringContaining('failed to broadcast a topology change')]);
  });
});
