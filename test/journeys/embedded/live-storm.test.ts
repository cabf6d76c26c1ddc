import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { collectGarbage } from '#infra/system/memory.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { until } from '#test/setup/until.ts';

const app = appOfTests();

const CHANGES = 1_000_000;
const MAX_GROWTH_BYTES = 24 * 2 ** 20;

interface Scans {
  readonly ids: readonly string[];
  readonly more: number;
}

test('a million changes and a reader that does not read: memory stays, and the count is right when it reads', async () => {
  const token = await app.tenant('acme');
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  const pieces: string[] = [];
  socket.on('data', (piece) => pieces.push(String(piece)));
  socket.write(`GET /sse/changes?topics=scans HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  await until(async () => pieces.join('').includes('event: hello'));
  socket.pause();
  const { live } = app.app.ports;
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < CHANGES; n++) {
    live.recordChanged('acme', 'scan', `scan-${String(n).padStart(7, '0')}`);
    if (n % 20_000 === 19_999) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  collectGarbage();
  const growth = process.memoryUsage().heapUsed - before;
  expect(growth).toBeLessThan(MAX_GROWTH_BYTES);
  socket.resume();
  const told = (): Scans[] =>
    [...pieces.join('').matchAll(/^event: changes\ndata: (.*)$/gm)].map(([, data]) => JSON.parse(data!).scans);
  const counted = (): number => told().reduce((sum, { ids, more }) => sum + ids.length + more, 0);
  await until(async () => counted() === CHANGES);
  socket.destroy();
  for (const [, data] of pieces.join('').matchAll(/^data: (.*)$/gm)) expect(data!.length).toBeLessThan(16 * 1_024);
});
