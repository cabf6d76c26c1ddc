/** How long rules take to answer about CIs and changes, on one tenant with 100,000 CIs and 300,000 relationships. */
import { ciIdOf, placesOf, TENANT } from '../../../bench/cmdb-infrastructure.ts';
import { bytesOf, Connection, percentile } from '../../../bench/load.ts';
import type { Row } from '../../../bench/report.ts';
import { runScript, startServer } from '../../../bench/server.ts';
import { seeded } from '../../../bench/storm.ts';

const CIS = 100_000;
const REQUESTS = 300;
const WARM_UP = 50;
/** All detectors run at 10 a minute. */
const DETECTIONS = 40;
const TARGET_MS = 300;
/** Assessments that are there before. */
const ASSESSMENTS = 1_000;
/** On each of a few hosts, as many events as are read. */
const [LOUD, EVENTS] = [20, 500];

interface Options {
  readonly directory: string;
  readonly scale: number;
  readonly progress: (text: string) => void;
}
interface Asked {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
}

const ask = async (connection: Connection, { method, path, body }: Asked): Promise<number> => {
  const request = bytesOf({ method, path, tenant: TENANT, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const began = performance.now();
  const { status } = await connection.ask(request);
  if (status > 299) throw new Error(`${method} ${path} answered ${status}`);
  return performance.now() - began;
};

interface Measuring {
  readonly requests: number;
  readonly isBudgeted: boolean;
}
const USUAL: Measuring = { requests: REQUESTS, isBudgeted: true };

const p99Of = async (
  connection: Connection,
  what: string,
  asked: () => Asked,
  { requests, isBudgeted }: Measuring,
): Promise<Row> => {
  const times: number[] = [];
  const warmUp = Math.min(WARM_UP, requests / 4);
  for (let n = 0; n < warmUp + requests; n++) {
    const time = await ask(connection, asked());
    if (n >= warmUp) times.push(time);
  }
  times.sort((a, b) => a - b);
  const value = percentile(times, 0.99);
  const note = `p50 ${percentile(times, 0.5).toFixed(1)} ms`;
  const budget = isBudgeted ? { target: `≤ ${TARGET_MS}`, met: value <= TARGET_MS } : {};
  return { what: `${what}, p99`, value, unit: 'ms', ...budget, note };
};

const LETTERS = 26;
/** Numbers fold in titles, words do not. */
const word = (n: number): string =>
  String.fromCharCode(...[n, n / LETTERS, n / LETTERS ** 2].map((part) => 97 + (Math.floor(part) % LETTERS)));
const complaintsOn = (ciId: string) =>
  Array.from({ length: EVENTS }, (_, n) => ({
    ciId,
    sourceId: `${ciId}-${n}`,
    severity: n % 3 === 0 ? 'critical' : 'minor',
    title: `Volume ${word(n)}zq behaves oddly`,
  }));

/** Of each kind of question as many; of a CI that is named, of all events, and of a name that nothing is called by. */
const QUESTIONS: readonly ((ciId: string, n: number) => string)[] = [
  (ciId) => `What is the status of "${ciId}"?`,
  (ciId) => `Why is "${ciId}" slow?`,
  (ciId) => `What depends on "${ciId}"?`,
  (ciId) => `What happens if "${ciId}" fails?`,
  (ciId) => `How many events had "${ciId}" in the last 7 days?`,
  () => 'Which critical events are open?',
  (_, n) => `How is nowhere-${n} doing?`,
];
const chatWith = (ciOf: () => string): (() => Asked) => {
  let n = 0;
  return () => {
    n += 1;
    const message = QUESTIONS[n % QUESTIONS.length]!(ciOf(), n);
    return { method: 'POST', path: '/api/chatbot', body: { message, conversationId: `bench-${n % 50}` } };
  };
};

export const aboutCis = async ({ directory, scale, progress }: Options): Promise<Row[]> => {
  const cis = CIS * scale;
  progress(`ai: ${cis} CIs`);
  await runScript('bench/cmdb-fill.ts', directory, cis);
  const server = await startServer(directory);
  const connection = new Connection(server.url);
  const random = seeded(5);
  const any = (): string => ciIdOf(Math.floor(random() * cis));
  const { from, count } = placesOf(cis).get('storage')!;
  const storage = (): string => ciIdOf(from + Math.floor(random() * count));
  const loud = (): string => ciIdOf(from + Math.floor(random() * LOUD));
  const plannedTime = '2027-03-02T12:00:00Z';
  const change = (ciId: string): Asked => ({
    method: 'POST',
    path: '/api/change-analysis/analyze',
    body: { ciId, changeType: 'upgrade', plannedTime, plannedDuration: '2h' },
  });
  for (let n = 0; n < LOUD; n++) {
    const events = complaintsOn(ciIdOf(from + n));
    await ask(connection, { method: 'POST', path: '/api/events/bulk-ingest', body: { source: 'bench', events } });
  }
  for (let n = 0; n < ASSESSMENTS * scale; n++) await ask(connection, change(any()));
  const insight = (ciId: string): Asked => ({ method: 'POST', path: `/api/cmdb-ai/insights/${ciId}` });
  const rows: Row[] = [];
  const measure = async (what: string, asked: () => Asked, measuring = USUAL): Promise<void> => {
    progress(`ai: ${what}`);
    rows.push(await p99Of(connection, what, asked, measuring));
  };
  const analysis = (ciId: string): Asked => ({ method: 'POST', path: '/api/ai/analyze', body: { ciId } });
  const insights: Asked = { method: 'POST', path: '/api/ai/generate-insights', body: {} };
  await measure('insight about any CI', () => insight(any()));
  await measure('insight about a storage', () => insight(storage()));
  await measure('insight about a loud storage', () => insight(loud()));
  await measure('analysis of any CI', () => analysis(any()));
  await measure('analysis of a loud storage', () => analysis(loud()));
  await measure('all detectors', () => insights, { requests: DETECTIONS, isBudgeted: false });
  await measure('chat about any CI', chatWith(any));
  await measure('chat about a loud storage', chatWith(loud));
  await measure('change of any CI', () => change(any()));
  await measure('change of a storage', () => change(storage()));
  await measure('change of a loud storage', () => change(loud()));
  connection.close();
  await server.stop();
  return rows;
};
