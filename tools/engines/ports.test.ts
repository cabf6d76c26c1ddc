import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { freePorts, requireFree } from './ports.ts';

const taking = async (port: number): Promise<AsyncDisposable> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
};

test('a block with a port that is taken is passed over, and refused when it is asked for by number', async () => {
  const seed = process.pid + 500;
  const base = await freePorts(7, seed);
  await using _taken = await taking(base + 6);
  expect(await freePorts(7, seed)).toBeGreaterThan(base);
  expect(await freePorts(6, seed)).toBe(base);
  await expect(requireFree(base, 7)).rejects.toThrow(
    `port ${base + 6} is taken; the engines need ${base} to ${base + 6}`,
  );
});
