/** What analysis of events costs those that arrive: the same storm on copies of one directory, analysis on and off in turns. */
import { median, run } from './load.ts';
import type { Row } from './report.ts';
import { bulks, PER_BULK, singles } from './requests.ts';
import { onCopy } from './server.ts';
import type { Storm } from './storm.ts';
import { TOKEN } from './token.ts';

const PAIRS = 5;
const TARGET = 0.93;
const BULK = { connections: 12, warmupMs: 4_000, durationMs: 8_000 };
const SINGLE = { connections: 64, warmupMs: 4_000, durationMs: 8_000 };

interface Options {
  /** Filled; only copies of it are changed. */
  readonly directory: string;
  readonly storm: Storm;
  readonly progress: (text: string) => void;
}
interface Rates {
  readonly bulk: number;
  readonly single: number;
}

async function switchOff(url: string, tenant: string): Promise<void> {
  const reply = await fetch(`${url}/api/admin/settings/ai`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', 'x-tenant-id': tenant },
    body: JSON.stringify({ analyse: false }),
  });
  if (!reply.ok) throw new Error(`Analysis of ${tenant} stays on: ${reply.status} ${await reply.text()}`);
}

const ratesOf = ({ directory, storm }: Options, analysing: boolean): Promise<Rates> =>
  onCopy(directory, async (url) => {
    if (!analysing) await Promise.all(storm.tenants.map(({ id }) => switchOff(url, id)));
    const bulk = await run({ ...BULK, url, requests: bulks(storm.fork(1), 900) });
    const single = await run({ ...SINGLE, url, requests: singles(storm.fork(3), 90_000) });
    if (bulk.refused + single.refused > 0) throw new Error(`${bulk.refused} and ${single.refused} requests refused`);
    return { bulk: (bulk.replies * PER_BULK) / bulk.seconds, single: single.replies / single.seconds };
  });

/** On against off, as the median of five pairs; each pair begins with the other one. */
export async function analysisCost(options: Options): Promise<Row[]> {
  const ratios: Record<keyof Rates, number[]> = { bulk: [], single: [] };
  for (let pair = 0; pair < PAIRS; pair++) {
    options.progress(`analysis on and off: pair ${pair + 1} of ${PAIRS}`);
    const first = await ratesOf(options, pair % 2 === 0);
    const second = await ratesOf(options, pair % 2 === 1);
    const [on, off] = pair % 2 === 0 ? [first, second] : [second, first];
    for (const kind of ['bulk', 'single'] as const) ratios[kind].push(on[kind] / off[kind]);
  }
  return (['bulk', 'single'] as const).map((kind): Row => {
    const value = median(ratios[kind]);
    const note = ratios[kind].map((ratio) => ratio.toFixed(2)).join(', ');
    return {
      what: `${kind}, analysis on against off`,
      value,
      unit: '',
      target: `≥ ${TARGET}`,
      met: value >= TARGET,
      note,
    };
  });
}
