/** A load generator on raw keep-alive sockets: requests are finished bytes, replies are looked at no further than needed. */
import { connect, type Socket } from 'node:net';
import { TOKEN } from './token.ts';

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly tenant?: string;
  readonly body?: string;
}
export interface Reply {
  readonly status: number;
  readonly body: string;
}
export interface Load {
  readonly url: string;
  readonly connections: number;
  readonly durationMs: number;
  /** Not measured. */
  readonly warmupMs: number;
  /** Requests to send, round and round. */
  readonly requests: readonly Buffer[];
  /** Requests per second, sent at fixed times whether or not earlier ones are answered; absent: as fast as replies come. */
  readonly rate?: number;
  readonly onStart?: () => void | Promise<void>;
}
export interface Outcome {
  readonly replies: number;
  readonly seconds: number;
  /** Sorted, ms; from the planned time of sending. */
  readonly latencies: readonly number[];
  readonly refused: number;
}

/** The request as bytes. */
export const bytesOf = ({ method, path, tenant, body = '' }: Request): Buffer =>
  Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\n${
      tenant === undefined ? '' : `X-Tenant-ID: ${tenant}\r\n`
    }${body === '' ? '' : 'Content-Type: application/json\r\n'}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );

const END_OF_HEAD = '\r\n\r\n';

/** One socket with one request on its way at a time. */
export class Connection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #done: ((reply: Reply) => void) | null = null;
  #expected = -1;
  #head = '';
  readonly #wantsBody: boolean;

  constructor(url: string, wantsBody = false) {
    const { hostname, port } = new URL(url);
    this.#wantsBody = wantsBody;
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true });
    this.#socket.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#socket.on('error', () => {});
  }

  send(request: Buffer, done: (reply: Reply) => void): void {
    this.#done = done;
    this.#socket.write(request);
  }
  ask(request: Buffer): Promise<Reply> {
    return new Promise((resolve) => this.send(request, resolve));
  }
  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    if (this.#expected < 0) {
      const end = this.#received.indexOf(END_OF_HEAD);
      if (end < 0) return;
      this.#head = this.#received.toString('latin1', 0, end);
      this.#expected = end + END_OF_HEAD.length + Number(/content-length: (\d+)/i.exec(this.#head)?.[1] ?? 0);
    }
    if (this.#received.length < this.#expected) return;
    const body = this.#wantsBody ? this.#received.toString('utf8', this.#head.length + END_OF_HEAD.length) : '';
    const reply = { status: Number(this.#head.slice(9, 12)), body };
    this.#received = Buffer.alloc(0);
    this.#expected = -1;
    this.#done?.(reply);
  }
}

/** What is counted while it runs. */
class Tally {
  readonly latencies: number[] = [];
  refused = 0;
  counting = false;

  note({ status }: Reply, since: number): void {
    if (!this.counting) return;
    this.latencies.push(performance.now() - since);
    if (status >= 300) this.refused++;
  }
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Every connection sends its next request when the last is answered. */
const closedLoop = (connections: readonly Connection[], next: () => Buffer, tally: Tally, isOver: () => boolean) => {
  const again = (connection: Connection): void => {
    if (isOver()) return;
    const since = performance.now();
    connection.send(next(), (reply) => {
      tally.note(reply, since);
      again(connection);
    });
  };
  for (const connection of connections) again(connection);
};

/** Requests fall due at a fixed rate; those that find no free connection wait, and their waiting is part of their time. */
const openLoop = (
  connections: readonly Connection[],
  next: () => Buffer,
  tally: Tally,
  isOver: () => boolean,
  rate: number,
) => {
  const free = [...connections];
  const due: number[] = [];
  const began = performance.now();
  let planned = 0;
  const serve = (): void => {
    while (free.length > 0 && due.length > 0) {
      const connection = free.pop() as Connection;
      const since = due.shift() as number;
      connection.send(next(), (reply) => {
        tally.note(reply, since);
        free.push(connection);
        serve();
      });
    }
  };
  const tick = (): void => {
    if (isOver()) return;
    const now = performance.now();
    for (; began + (planned * 1000) / rate <= now; planned++) due.push(began + (planned * 1000) / rate);
    serve();
    setTimeout(tick, 1);
  };
  tick();
};

export const run = async (load: Load): Promise<Outcome> => {
  const connections = Array.from({ length: load.connections }, () => new Connection(load.url));
  const tally = new Tally();
  let sent = 0;
  let over = false;
  const next = (): Buffer => load.requests[sent++ % load.requests.length] as Buffer;
  if (load.rate === undefined) closedLoop(connections, next, tally, () => over);
  else openLoop(connections, next, tally, () => over, load.rate);
  await wait(load.warmupMs);
  await load.onStart?.();
  const began = performance.now();
  tally.counting = true;
  await wait(load.durationMs);
  tally.counting = false;
  over = true;
  const seconds = (performance.now() - began) / 1000;
  for (const connection of connections) connection.close();
  const latencies = tally.latencies.sort((a, b) => a - b);
  return { replies: latencies.length, seconds, latencies, refused: tally.refused };
};

export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

export const median = (values: readonly number[]): number =>
  percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
