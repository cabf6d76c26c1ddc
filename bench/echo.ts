/**
 * The baselines for HTTP: reads a body and answers; nothing else. With the path of a file, all bodies that came meanwhile are written there
 * in one piece, and answered when they are on disk: what no server that keeps its word can do without.
 */
import { constants, openSync, writev } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Unwritten {
  readonly body: readonly Uint8Array[];
  readonly response: ServerResponse;
}

/** Written round and round, so that the file does not grow. */
const FILE_BYTES = 16 * 1024 * 1024;
const reply = JSON.stringify({ success: true });
const answer = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-length': reply.length }).end(reply);
};

const keeping = (path: string): ((one: Unwritten) => void) => {
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_DSYNC);
  let waiting: Unwritten[] = [];
  let isWriting = false;
  let place = 0;
  const flush = (): void => {
    if (isWriting || waiting.length === 0) return;
    const all = waiting;
    waiting = [];
    isWriting = true;
    const bodies = all.flatMap(({ body }) => body);
    writev(file, bodies, place, (error, written) => {
      if (error !== null) throw error;
      place = place + written < FILE_BYTES ? place + written : 0;
      isWriting = false;
      for (const { response } of all) answer(response);
      flush();
    });
  };
  return (one) => {
    waiting.push(one);
    setImmediate(flush);
  };
};

const path = process.argv[2];
const keep = path === undefined ? null : keeping(path);

const echo = (request: IncomingMessage, response: ServerResponse): void => {
  if (keep === null) {
    request.resume();
    request.once('end', () => answer(response));
  } else {
    const body: Uint8Array[] = [];
    request.on('data', (chunk: Uint8Array) => body.push(chunk));
    request.once('end', () => keep({ body, response }));
  }
};

const server = createServer(echo);
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.on('SIGTERM', () => process.exit(0));
