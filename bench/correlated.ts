/** How long after its 2xx an event's correlationId can be read. */
import { bytesOf, Connection } from './load.ts';
import type { Storm } from './storm.ts';

const PAUSE_MS = 50;
const PATIENCE_MS = 5_000;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const eventIdIn = (body: string): string => (JSON.parse(body) as { eventId: string }).eventId;

interface Patience {
  /** Between two readings, ms. */
  readonly pollMs: number;
  /** When it takes too long, ms. */
  readonly patienceMs: number;
}

/** Posts two complaints about one host, then reads the second until it has a group. Milliseconds, sorted; infinite when it took too long. */
export const correlatedTimes = async (
  url: string,
  storm: Storm,
  durationMs: number,
  patience: Patience = { pollMs: 0, patienceMs: PATIENCE_MS },
): Promise<number[]> => {
  const connection = new Connection(url, true);
  const tenant = 0;
  const id = storm.tenants[tenant]!.id;
  const end = performance.now() + durationMs;
  const times: number[] = [];
  const post = async (body: object): Promise<string> => {
    const { status, body: reply } = await connection.ask(
      bytesOf({ method: 'POST', path: '/api/events/ingest', tenant: id, body: JSON.stringify(body) }),
    );
    if (status >= 300) throw new Error(`A probe was refused with ${status}: ${reply}`);
    return eventIdIn(reply);
  };
  while (performance.now() < end) {
    const first = storm.fresh(tenant);
    await post(first);
    const eventId = await post({ ...first, title: `${first.title} still`, sourceId: `${first.sourceId}-still` });
    const asking = bytesOf({ method: 'GET', path: `/api/events/${eventId}`, tenant: id });
    times.push(await untilGrouped(connection, asking, patience));
    await wait(PAUSE_MS);
  }
  connection.close();
  return times.sort((a, b) => a - b);
};

const untilGrouped = async (
  connection: Connection,
  request: Buffer,
  { pollMs, patienceMs }: Patience,
): Promise<number> => {
  const accepted = performance.now();
  while (performance.now() - accepted < patienceMs) {
    const { body } = await connection.ask(request);
    if (/"correlationId":"/.test(body)) return performance.now() - accepted;
    if (pollMs > 0) await wait(pollMs);
  }
  return Number.POSITIVE_INFINITY;
};
