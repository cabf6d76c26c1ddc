/** Loads that are waited for to the last reply, and to the last record of the pipeline. */
import kafkajs from 'kafkajs';
import { lagOf } from '#infra/kafka/client/lag.ts';
import { pipeline } from '#processors/pipeline.ts';
import { Connection } from './load.ts';

export interface Sent {
  readonly replies: number;
  readonly refused: number;
  /** Sorted, ms. */
  readonly latencies: readonly number[];
}

/** Each connection sends its next request when the last is answered, until `isOver` or the requests are used up. */
export const sendUntil = async (
  url: string,
  connections: number,
  requests: readonly Buffer[],
  isOver: () => boolean,
): Promise<Sent> => {
  const latencies: number[] = [];
  let sent = 0;
  let refused = 0;
  const work = async (): Promise<void> => {
    const connection = new Connection(url);
    while (!isOver() && sent < requests.length) {
      const request = requests[sent++]!;
      const since = performance.now();
      const { status } = await connection.ask(request);
      latencies.push(performance.now() - since);
      if (status >= 300) refused++;
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, work));
  return { replies: latencies.length, refused, latencies: latencies.sort((a, b) => a - b) };
};

/** Sends one request each so many ms, on a connection of its own, whether or not earlier ones are answered. */
export const sendSteadily = async (url: string, requests: readonly Buffer[], everyMs: number): Promise<Sent> => {
  const began = performance.now();
  const sends = requests.map(async (request, n) => {
    const due = began + n * everyMs;
    await wait(due - performance.now());
    const connection = new Connection(url);
    const { status } = await connection.ask(request);
    connection.close();
    return { status, ms: performance.now() - due };
  });
  const done = await Promise.all(sends);
  const latencies = done.map(({ ms }) => ms).sort((a, b) => a - b);
  return { replies: done.length, refused: done.filter(({ status }) => status !== 200).length, latencies };
};

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));

const POLL_MS = 250;
/** A record on its way from one topic to the next is in neither for a moment. */
const QUIET_POLLS = 3;
/** As the service names its consumer groups on a log that was never made anew. */
const groupOf = (processor: string): string => `faultline.1.${processor}`;

const lags = (admin: kafkajs.Admin): Promise<number[]> =>
  Promise.all(
    pipeline.map(async ({ name, input }) =>
      (await lagOf(admin, groupOf(name), input)).reduce((sum, { lag }) => sum + lag, 0),
    ),
  );

/** When every processor had read everything (performance.now()). */
export const untilDone = async (broker: string): Promise<number> => {
  const admin = new kafkajs.Kafka({ brokers: [broker], logLevel: kafkajs.logLevel.NOTHING }).admin();
  await admin.connect();
  let quietSince = 0;
  for (let quiet = 0; quiet < QUIET_POLLS; ) {
    const isQuiet = (await lags(admin)).every((lag) => lag === 0);
    if (isQuiet && quiet === 0) quietSince = performance.now();
    quiet = isQuiet ? quiet + 1 : 0;
    await wait(POLL_MS);
  }
  await admin.disconnect();
  return quietSince;
};
