import { connect, createServer, type Socket } from 'node:net';
import { beforeAll, expect, test } from '@jest/globals';
import { EventSource } from 'undici';
import { appOfTests, tenantOfTests } from '#test/setup/of-tests.ts';
import { type ReadEvent, readStream } from '#test/setup/read-stream.ts';
import { seededBytes } from '#test/setup/set-clock.ts';

/* Connections of listeners break all the time: none misses an event, and none hears one twice. */

const app = appOfTests();
const own = tenantOfTests(app, 'all', 'cut');
beforeAll(async () => {
  const rows = Array.from({ length: 60 }, (_, n) =>
    ['web', 'app', 'db'].map((tier) => `svc${'abcdefghij'[n % 10]}${'klmnop'[Math.floor(n / 10)]}-${tier}-1`),
  );
  const csv = { 'content-type': 'text/csv' };
  const cis = rows.flat().map((name) => `${name},server`);
  await app.send('POST', '/v1/cmdb/import/ci', `name,type\n${cis.join('\n')}\n`, { token: own.token, headers: csv });
  const links = rows.flatMap(([web, back, db]) => [`depends_on,${web},${back},8080`, `depends_on,${back},${db},5432`]);
  const file = `type,source_ci,target_ci,attributes.port\n${links.join('\n')}\n`;
  await app.send('POST', '/v1/cmdb/import/relationships', file, { token: own.token, headers: csv });
});

const start = async (): Promise<string> => {
  const { body } = await own.send('POST', '/api/business-service-analyzer/infrastructure-analysis', {});
  return app.url + body.streamUrl;
};

const CUTS = 100;
const READERS = 10;

/** Listens to the end over connections that break after a number of bytes that is drawn; how often, and what was heard. */
async function listen(url: string, random: () => number): Promise<{ cuts: number; heard: ReadEvent[] }> {
  const heard: ReadEvent[] = [];
  for (let cuts = 0; ; cuts++) {
    const seen = heard.at(-1)?.id ?? 0;
    const cutAfter = cuts < CUTS / READERS ? 20 + random() * 8 : Number.POSITIVE_INFINITY;
    const headers: Record<string, string> = seen === 0 ? {} : { 'last-event-id': String(seen) };
    const { status, events, ended } = await readStream(url, { headers, cutAfter });
    expect(status).toBe(200);
    heard.push(...events.filter(({ id }) => id !== null));
    if (ended) return { cuts, heard };
  }
}

test('a hundred cuts at random lose and double nothing', async () => {
  const url = await start();
  const listening = Array.from({ length: READERS }, (_, seed) => listen(url, seededBytes(seed + 1)));
  const all = await Promise.all(listening);
  expect(all.reduce((sum, { cuts }) => sum + cuts, 0)).toBe(CUTS);
  for (const { heard } of all) {
    expect(heard.map(({ id }) => id)).toEqual(heard.map((_, i) => i + 1));
    expect(heard).toEqual(all[0]!.heard);
    expect(heard.at(-1)!.data).toMatchObject({ type: 'complete', totalServices: 60 });
  }
  expect(all[0]!.heard.length).toBeGreaterThan(100);
});

/** Passes connections on, and breaks the first ones after so many bytes of the reply. */
async function openCutter(to: string, cutAfter: readonly number[]) {
  const { port } = new URL(to);
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    let room = cutAfter[connections] ?? Number.POSITIVE_INFINITY;
    connections += 1;
    const upstream = connect(Number(port), '127.0.0.1');
    for (const end of [socket, upstream]) sockets.add(end.on('error', () => undefined));
    socket.pipe(upstream);
    upstream.on('data', (bytes: Buffer) => {
      socket.write(bytes.subarray(0, room));
      room -= bytes.length;
      if (room <= 0) for (const end of [socket, upstream]) end.destroy();
    });
    upstream.on('end', () => socket.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as { port: number };
  const close = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { url: `http://127.0.0.1:${address.port}`, close };
}

test('an EventSource comes back after a cut by itself, and stops when all is told', async () => {
  const url = await start();
  const cutter = await openCutter(app.url, [3_000]);
  const source = new EventSource(url.replace(app.url, cutter.url));
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const heard: { id: string; type: string }[] = [];
  let connected = 0;
  source.onmessage = ({ data, lastEventId }) => {
    const { type } = JSON.parse(data) as { type: string };
    if (type === 'connected') connected += 1;
    else heard.push({ id: lastEventId, type });
  };
  // After the end it comes once more, and is told by 204 that there is nothing.
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) resolve();
  };
  await ended;
  cutter.close();
  expect(heard.map(({ id }) => Number(id))).toEqual(heard.map((_, i) => i + 1));
  expect(heard.at(-1)!.type).toBe('complete');
  expect([connected, source.readyState]).toEqual([2, EventSource.CLOSED]);
});
