import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openElasticsearch } from '#infra/elasticsearch/open-elasticsearch.ts';
import { sampleEvent } from '#test/contract/samples.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { addresses } from './addresses.ts';
import { type OwnElasticsearch, ownElasticsearch } from './own-elasticsearch.ts';

const clock = setClock(0);

/** A server with the same answer to everything. */
async function answering(
  status: number,
  headers: Record<string, string>,
  body: object,
  use: (node: string) => Promise<void>,
) {
  const server = createServer((request, reply) => {
    request.resume();
    reply.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
const ELASTIC = { 'x-elastic-product': 'Elasticsearch' };

describe('a start that cannot go well says what to do', () => {
  test('nobody answers', async () => {
    await expect(openElasticsearch({ node: 'http://127.0.0.1:1', clock, waitSeconds: 1 })).rejects.toThrow(
      'http://127.0.0.1:1 was not ready within 1s. Start it, or correct ELASTICSEARCH_URL',
    );
  });

  test.each([
    ['something else answers', 200, {}, { status: 'green' }, 'is not Elasticsearch 9'],
    ['an older server answers', 400, ELASTIC, { error: 'Invalid media-type value' }, 'is not Elasticsearch 9'],
    ['the server wants a password', 401, ELASTIC, { error: {} }, 'Set ELASTICSEARCH_USERNAME'],
    [
      'one node is older',
      200,
      ELASTIC,
      { timed_out: false, nodes: { n: { version: '8.19.2' } } },
      'is version 8.19.2: Faultline needs 9',
    ],
  ])('%s', async (_name, status, headers, body, message) => {
    await answering(status, headers, body, async (node) => {
      await expect(openElasticsearch({ node, clock, waitSeconds: 1 })).rejects.toThrow(message);
    });
  });

  test('somebody else has indices of this name', async () => {
    const index = 'strange-events-1';
    await fetch(`${addresses().elasticsearch}/${index}`, { method: 'PUT' });
    const opened = openElasticsearch({ node: addresses().elasticsearch, prefix: 'strange', clock });
    await expect(opened).rejects.toThrow(`Index ${index} has layout unknown`);
    await fetch(`${addresses().elasticsearch}/${index}`, { method: 'DELETE' });
  });
});

describe('a store that stands', () => {
  let own: OwnElasticsearch;
  beforeAll(async () => {
    own = await ownElasticsearch(clock);
  });
  afterAll(() => own.close());

  test('is ready, also for a second process', async () => {
    expect(await own.ready()).toBe(true);
    expect(await (await own.another()).ready()).toBe(true);
  });

  test('works where indices may not be made by writing', async () => {
    const forbid = (value: string | null) =>
      own.rest('PUT', '_cluster/settings', { persistent: { 'action.auto_create_index': value } });
    await forbid('false');
    try {
      expect(await own.events.save([sampleEvent(1)])).toBe(1);
      expect(await own.records.put('acme', 'user', 'u', 1)).toBe(1);
      expect(await own.pipeline.writeJournal('dedup/0', { number: 1, body: '' })).toBe(true);
    } finally {
      await forbid(null);
    }
  });

  test('of many puts that meet none is lost', async () => {
    const count = (await own.another()).records;
    const puts = Array.from({ length: 12 }, (_, i) => (i % 2 ? own.records : count).put('acme', 'n', 'n', i));
    expect((await Promise.all(puts)).sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
  });

  test('a refused document is named, and the others are saved', async () => {
    const good = sampleEvent(3);
    const bad = sampleEvent(2, { source: 'x'.repeat(40_000) });
    await expect(own.events.save([bad, good])).rejects.toMatchObject({
      name: 'Fault',
      kind: 'unprocessable',
      data: { refused: [{ key: { tenant: 'acme', id: bad.id } }] },
    });
    expect(await own.events.get('acme', good.id)).toEqual(good);
  });

  test('a store that does not answer is unavailable', async () => {
    const lost = await openElasticsearch({ node: addresses().elasticsearch, prefix: own.prefix, clock });
    await lost.close();
    await expect(lost.events.get('acme', sampleEvent(1).id)).rejects.toMatchObject({
      name: 'Fault',
      kind: 'unavailable',
    });
    expect(await lost.ready()).toBe(false);
  });
});
