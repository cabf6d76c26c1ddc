/** Throughput of deliveries to receivers on the same machine, each in a process of its own. */
import type { Row } from '../../../bench/report.ts';
import { type Running, startEcho, startWith, usageOf } from '../../../bench/server.ts';
import { TOKEN } from '../../../bench/token.ts';

const DELIVERIES = 8_000;
/** Rows per imported file. */
const PER_FILE = 2_000;
const LOOK_MS = 250;

export interface WebhookBench {
  /** Empty. */
  readonly directory: string;
  readonly scale: number;
  readonly progress: (text: string) => void;
}

const headers = { authorization: `Bearer ${TOKEN}` };

const post = async (url: string, type: string, body: string): Promise<void> => {
  const reply = await fetch(url, { method: 'POST', headers: { ...headers, 'content-type': type }, body });
  if (!reply.ok) throw new Error(`${url}: ${reply.status} ${await reply.text()}`);
  await reply.arrayBuffer();
};

const delivered = async ({ url }: Running): Promise<number> => {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^faultline_outgoing_attempts_total\{outcome="delivered"\} (\d+)/m.exec(text)?.[1]);
};

const csvOf = (from: number, count: number): string =>
  [
    'name,type,attributes.owner',
    ...Array.from({ length: count }, (_, n) => `host-${from + n},server,team-${n % 40}`),
  ].join('\n');

const measured = async (server: Running, hooks: number, { scale }: WebhookBench): Promise<Row> => {
  const receivers = await Promise.all(Array.from({ length: hooks }, () => startEcho()));
  for (const [n, { url }] of receivers.entries())
    await post(
      `${server.url}/v1/webhooks`,
      'application/json',
      JSON.stringify({ name: `of ${hooks}: ${n}`, url, events: ['ci.created'] }),
    );
  const cis = (DELIVERIES * scale) / hooks;
  const before = await delivered(server);
  for (let from = 0; from < cis; from += PER_FILE)
    await post(
      `${server.url}/v1/cmdb/import/ci`,
      'text/csv',
      csvOf(hooks * 100_000 + from, Math.min(PER_FILE, cis - from)),
    );
  const [already, usage, began] = [(await delivered(server)) - before, await usageOf(server.url), performance.now()];
  while ((await delivered(server)) - before < cis * hooks) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  const seconds = (performance.now() - began) / 1_000;
  const cpu = (await usageOf(server.url)).cpuSeconds - usage.cpuSeconds;
  for (const receiver of receivers) await receiver.stop();
  const left = cis * hooks - already;
  const value = left / seconds;
  const note = `${left} that were left when the import ended, ${((cpu / left) * 1_000).toFixed(2)} ms CPU each`;
  return { what: `deliveries to ${hooks} webhooks`, value, unit: '/s', target: '500', met: value >= 500, note };
};

/** Deliveries per second of CIs that are imported, to one webhook and to eight. */
export const webhooks = async (bench: WebhookBench): Promise<Row[]> => {
  bench.progress('deliveries to webhooks');
  const server = await startWith({ FAULTLINE_DATA: bench.directory, FAULTLINE_OUTBOUND_ALLOW: '127.0.0.0/8' });
  try {
    return [await measured(server, 1, bench), await measured(server, 8, bench)];
  } finally {
    await server.stop();
  }
};
