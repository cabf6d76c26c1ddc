import { createServer } from 'node:net';

/** Below the ports that systems give to outgoing connections: a client that retries could take the port of a killed engine. */
const FIRST = 20_000;
const LAST = 29_000;
const STEP = 10;

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });

const taken = async (base: number, count: number): Promise<number | null> => {
  for (let port = base; port < base + count; port += 1) if (!(await isFree(port))) return port;
  return null;
};

/** The first of `count` (at most 10) free ports in a row; `seed` (any whole number) makes different callers look in different places. */
export const freePorts = async (count: number, seed: number): Promise<number> => {
  const blocks = (LAST - FIRST) / STEP;
  for (let block = 0; block < blocks; block += 1) {
    const base = FIRST + ((seed + block) % blocks) * STEP;
    if ((await taken(base, count)) === null) return base;
  }
  throw new Error(`no ${count} free ports in a row between ${FIRST} and ${LAST}`);
};

/** Throws an Error that names the first port that is not free. */
export const requireFree = async (base: number, count: number): Promise<number> => {
  const port = await taken(base, count);
  if (port !== null) throw new Error(`port ${port} is taken; the engines need ${base} to ${base + count - 1}`);
  return base;
};
