/** How long after its 2xx an event's correlationId can be read. */
import { bytesOf, Connection } from './load.ts';
import type { Storm } from './storm.ts';

const PAUSE_MS = 50;
const PATIENCE_MS = 5_000;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const eventIdIn = (body: string): string => (JSON.parse(body) as { eventId: string }).eventId;

/** Posts two complaints about one host, then reads the second until it has a group. Milliseconds, sorted; infinite when it took too long. */
export const correlatedTimes = async (url: string, storm: Storm, durationMs: number): Promise<number[]> => {
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
    times.push(await untilGrouped(connection, bytesOf({ method: 'GET', path: `/api/events/${eventId}`, tenant: id })));
    await wait(PAUSE_MS);
  }
  connection.close();
  return times.sort((a, b) => a - b);
};

const untilGrouped = async (connection: Connection, request: Buffer): Promise<number> => {
  const accepted = performance.now();
  while (performance.now() - accepted < PATIENCE_MS) {
    const { body } = await connection.ask(request);
    if (/"correlationId":"/.test(body)) return performance.now() - accepted;
  }
  return Number.POSITIVE_INFINITY;
};
