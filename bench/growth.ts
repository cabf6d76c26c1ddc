/** How the cost of an event grows with what is there already. */
import { join } from 'node:path';
import { costPerEvent } from './parts.ts';
import type { Row } from './report.ts';
import { runScript } from './server.ts';
import { type Size, Storm } from './storm.ts';

interface World extends Size {
  readonly recent: number;
}
/** As many in every world, or more repeats would be read from the file where there is more. */
const LIVE_IN_ALL = 1_000;
const BASE: World = { tenants: 4, cis: 20_000, recent: 10_000 };
/** What grows, and the same world with it a hundred times as large. */
const SERIES: readonly { readonly what: string; readonly worlds: readonly World[] }[] = [
  { what: 'events in the window', worlds: [1_000, 10_000, 100_000].map((recent) => ({ ...BASE, recent })) },
  { what: 'CIs', worlds: [1_000, 10_000, 100_000].map((cis) => ({ ...BASE, cis })) },
  { what: 'tenants', worlds: [2, 20, 200].map((tenants) => ({ ...BASE, tenants })) },
];

/** Slope of the logarithms: 0 when the cost stays, 1 when it grows as the size does. */
const exponent = (costs: readonly number[]): number =>
  Math.log(costs.at(-1)! / costs[0]!) / Math.log(10 ** (costs.length - 1));

export const growth = async (directory: string, progress: (text: string) => void): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const { what, worlds } of SERIES) {
    const costs: number[] = [];
    for (const [n, world] of worlds.entries()) {
      progress(`growth: ${what} ×${10 ** n}`);
      const at = join(directory, `${what.replaceAll(' ', '-')}-${n}`);
      await runScript('bench/fill.ts', at, world.tenants, world.cis, 0, 0, world.recent);
      const storm = new Storm(world, LIVE_IN_ALL);
      for (let i = 0; i < world.recent; i++) storm.fresh(storm.tenant());
      costs.push(await costPerEvent(at, storm));
    }
    const value = exponent(costs);
    const note = `${costs.map((cost) => cost.toFixed(0)).join(' → ')} µs CPU per event`;
    rows.push({ what: `growth with ${what} ×100`, value, unit: 'exponent', target: '≤ 0.10', met: value <= 0.1, note });
  }
  return rows;
};
