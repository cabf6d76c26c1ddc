/** Cost of a silence that affects 10,000 CIs: the same events with and without it, alternating, on one server. */
import { suppressionOf } from '#domain/event/silences/judge.ts';
import { compileMatcher, openTitleWords, type Silenceable } from '#domain/event/silences/matcher.ts';
import { bytesOf, median, percentile, run } from '../../../bench/load.ts';
import type { Row } from '../../../bench/report.ts';
import { PER_BULK } from '../../../bench/requests.ts';
import { startServer, usageOf } from '../../../bench/server.ts';
import { makeTenant } from '../../../bench/tenant.ts';
import { TOKEN } from '../../../bench/token.ts';

const TENANT = 'silences';
const BELOW = 10_000;
const PAIRS = 20;
const TARGET = 1.02;
const LOAD = { connections: 4, warmupMs: 1_000, durationMs: 3_000 };
const BULKS = 300;
/** Rounds over as many events as there are CIs. */
const JUDGED = 200;
/** End of every silence, which is ended manually before. */
const ENDS_AT = '2099-01-01T00:00:00Z';
const headers = { authorization: `Bearer ${TOKEN}`, 'x-tenant-id': TENANT };

interface Options {
  readonly directory: string;
  readonly scale: number;
  readonly progress: (text: string) => void;
}

const ask = async (url: string, method: string, path: string, body: unknown) => {
  const isText = typeof body === 'string';
  const sent = { ...headers, 'content-type': isText ? 'text/csv' : 'application/json' };
  const reply = await fetch(url + path, { method, headers: sent, body: isText ? body : JSON.stringify(body) });
  const answered = (await reply.json()) as { id: string; total: number; created: number; silence: { id: string } };
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(answered).slice(0, 300)}`);
  return answered;
};

/** One storage, and hosts that depend on it over machines in between. Returns its id. */
async function fill(url: string, below: number): Promise<string> {
  const { id } = await ask(url, 'POST', '/v1/cmdb/ci', { name: 'storage', type: 'storage', external_key: 'storage' });
  const cis = Array.from({ length: below }, (_, n) => `host-${n},host-${n}.example.net,server,host-${n}.example.net`);
  const file = ['external_key,name,type,attributes.hostname', ...cis].join('\n');
  await ask(url, 'POST', '/v1/cmdb/import/ci', file);
  const edges = cis.map((_, n) => `depends_on,host-${n},${n < 100 ? 'storage' : `host-${n % 100}`}`);
  const { created } = await ask(
    url,
    'POST',
    '/v1/cmdb/import/relationships',
    ['type,source_ci,target_ci', ...edges].join('\n'),
  );
  if (created !== below) throw new Error(`${created} of ${below} relationships were imported`);
  return id;
}

const eventsOn = (below: number): Buffer[] =>
  Array.from({ length: BULKS }, (_, b) => {
    const events = Array.from({ length: PER_BULK }, (_, n) => {
      const host = `host-${(b * PER_BULK + n * 7) % below}.example.net`;
      return {
        source: 'bench',
        sourceId: `${host}/${n % 3}`,
        severity: 'major',
        hostname: host,
        title: `Check ${n % 3} failed`,
      };
    });
    return bytesOf({
      method: 'POST',
      path: '/api/events/bulk-ingest',
      tenant: TENANT,
      body: JSON.stringify({ events }),
    });
  });

/** Returns the processor time of the server for one event, µs; the wall clock of a shared machine is less precise. */
async function costOf(url: string, requests: readonly Buffer[]): Promise<number> {
  let before = 0;
  const onStart = async () => {
    before = (await usageOf(url)).cpuSeconds;
  };
  const { replies, refused } = await run({ ...LOAD, url, requests, onStart });
  if (refused > 0) throw new Error(`${refused} requests refused`);
  return (((await usageOf(url)).cpuSeconds - before) * 1e6) / (replies * PER_BULK);
}

/**
 * Each event is about a CI that the silence reaches, and has not its tag: it is judged, and then treated as without. The silence is made
 * in both cases; it holds meanwhile, or is ended before.
 */
async function costBeside(url: string, below: string, requests: readonly Buffer[], holds: boolean): Promise<number> {
  const matcher = { below, tag: 'of no event' };
  const { silence } = await ask(url, 'POST', '/api/events/silences', { matcher, endsAt: ENDS_AT, reason: 'measured' });
  const end = () => ask(url, 'DELETE', `/api/events/silences/${silence.id}`, undefined);
  if (!holds) await end();
  const cost = await costOf(url, requests);
  if (holds) await end();
  return cost;
}

/** Processor time of judging one event alone, µs: what pairs on a shared machine are too coarse for. */
function judgingUs(below: number): number {
  const ids = Array.from({ length: below }, (_, n) => `01M87${String(n).padStart(21, '0')}`);
  const matcher = { below: ids[0]!, tag: 'of no event' };
  const test = compileMatcher(matcher, { below: new Set(ids) }, openTitleWords());
  const silences = [{ rule: { id: 'A' }, holdsUntil: () => Number.MAX_SAFE_INTEGER, test }];
  const events = ids.map((id): Silenceable => {
    const ci = { id, name: id, type: 'server' };
    return { source: 'bench', severity: 'major', hostname: id, tags: ['a', 'b'], title: 'Check failed', ci };
  });
  let found = 0;
  const round = () => {
    for (const event of events) if (suppressionOf({ silences, maintained: [] }, event, null, 1) !== null) found += 1;
  };
  for (let n = 0; n < 20; n++) round();
  const began = process.cpuUsage();
  for (let n = 0; n < JUDGED; n++) round();
  const { user, system } = process.cpuUsage(began);
  if (found > 0) throw new Error('An event was suppressed');
  return (user + system) / (JUDGED * below);
}

/** Compares with and without, as the median of pairs; each pair begins with the other one. */
export const silences = async ({ directory, scale, progress }: Options): Promise<Row[]> => {
  const below = BELOW * scale;
  const { url, stop } = await startServer(directory);
  try {
    await makeTenant(url, TENANT);
    const storage = await fill(url, below);
    const requests = eventsOn(below);
    // Existing state is repeated from then on.
    await run({ ...LOAD, url, requests, warmupMs: 5_000 });
    const ratios: number[] = [];
    const plain: number[] = [];
    for (let pair = 0; pair < PAIRS; pair++) {
      progress(`silence below ${below} CIs: pair ${pair + 1} of ${PAIRS}`);
      const costs = { with: 0, without: 0 };
      for (const kind of pair % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const))
        costs[kind] = await costBeside(url, storage, requests, kind === 'with');
      ratios.push(costs.with / costs.without);
      plain.push(costs.without);
    }
    const sorted = ratios.toSorted((a, b) => a - b);
    const value = percentile(sorted, 0.5);
    const quartiles = [0.25, 0.75].map((share) => percentile(sorted, share).toFixed(3)).join(' to ');
    const usual = median(plain);
    const judging = judgingUs(below);
    const reach = `${below.toLocaleString('en')} CIs`;
    const note = `half of ${PAIRS} pairs: ${quartiles}`;
    return [
      {
        what: `processor time per event, silence below ${reach} against none`,
        value,
        unit: '',
        target: `≤ ${TARGET}`,
        met: value <= TARGET,
        note,
      },
      {
        what: `judging one event by a silence below ${reach}`,
        value: (judging / usual) * 100,
        unit: '% of its time',
        target: '≤ 2 %',
        met: judging / usual <= 0.02,
        note: `${judging.toFixed(3)} of ${usual.toFixed(0)} µs`,
      },
    ];
  } finally {
    await stop();
  }
};
