/**
 * `npm run bench -- [bulk] [single] [memory] [start] [growth] [groups] [cmdb] [webhooks] [infrastructure] [silences] [reports] [--json] [--small]`: measures the embedded server through
 * its HTTP surface, on a directory that it fills first. `npm run bench -- ai`: how good the rules of analyses are, and how fast they answer about CIs and changes.
 * `npm run bench -- quality [--seeds 1,2,3]`: how right groups and causes are on the demo's days.
 * `npm run bench -- groups-distributed`: the lists of `groups` on engines from Maven.
 * `npm run bench -- distributed [--profiles FOLDER]`: starts engines from Maven and measures distributed mode on them.
 * `--small` takes a tenth of everything, to try it out.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ai } from './ai.ts';
import { cmdb } from './cmdb.ts';
import { distributed } from './distributed.ts';
import { groups, groupsDistributed } from './groups.ts';
import { growth } from './growth.ts';
import { infrastructure } from './infrastructure.ts';
import { bulk, memory, type Scene, single, start } from './parts.ts';
import { quality } from './quality.ts';
import { type Row, tableOf } from './report.ts';
import { reports } from './reports.ts';
import { runScript, startServer } from './server.ts';
import { silences } from './silences.ts';
import { LIVE, Storm } from './storm.ts';
import { webhooks } from './webhooks.ts';

const SCENE_PARTS = { start, memory, bulk, single } as const;
/** Of the embedded server, which is measured when nothing is named. */
const EMBEDDED = [...Object.keys(SCENE_PARTS), 'growth', 'cmdb', 'webhooks'];
const NAMES = [
  ...EMBEDDED,
  'groups',
  'groups-distributed',
  'infrastructure',
  'silences',
  'reports',
  'ai',
  'quality',
  'distributed',
];

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    small: { type: 'boolean', default: false },
    profiles: { type: 'string' },
    seeds: { type: 'string', default: '1,2,3,4,5,6,7,8' },
  },
});
const wanted = positionals.length === 0 ? EMBEDDED : positionals;
const scale = options.small ? 0.1 : 1;
const world = {
  tenants: 50,
  cis: 100_000 * scale,
  resolved: 700_000 * scale,
  standing: 250_000 * scale,
  recent: 50_000 * scale,
};

const progress = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text} …`);
  else console.error(text);
};

const fill = async (directory: string): Promise<Storm> => {
  const { tenants, cis, resolved, standing, recent } = world;
  progress(`filling: ${cis} CIs, ${resolved + standing + recent} events`);
  await runScript('bench/fill.ts', directory, tenants, cis, resolved, standing, recent);
  const storm = new Storm(world, LIVE * scale);
  for (let i = 0; i < resolved + standing + recent; i++) storm.fresh(storm.tenant());
  return storm;
};

const onScene = async (directory: string): Promise<Row[]> => {
  const storm = await fill(directory);
  const { url, readyMs, stop } = await startServer(directory);
  const open = world.standing + world.recent;
  const scene: Scene = { url, readyMs, storm, stored: world.resolved + open, open };
  const rows: Row[] = [];
  for (const [name, part] of Object.entries(SCENE_PARTS)) {
    if (!wanted.includes(name)) continue;
    progress(name);
    rows.push(...(await part(scene)));
  }
  await stop();
  return rows;
};

const main = async (): Promise<void> => {
  const unknown = wanted.filter((name) => !NAMES.includes(name));
  if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(', ')}; known: ${NAMES.join(', ')}`);
  const directory = mkdtempSync(join(tmpdir(), 'faultline-bench-'));
  try {
    const rows: Row[] = [];
    if (wanted.some((name) => name in SCENE_PARTS)) rows.push(...(await onScene(join(directory, 'scene'))));
    if (wanted.includes('growth')) rows.push(...(await growth(directory, progress)));
    if (wanted.includes('groups'))
      rows.push(...(await groups({ directory: join(directory, 'groups'), scale, progress })));
    if (wanted.includes('groups-distributed')) rows.push(...(await groupsDistributed({ scale, progress })));
    if (wanted.includes('cmdb')) rows.push(...(await cmdb({ directory: join(directory, 'cmdb'), scale, progress })));
    if (wanted.includes('webhooks'))
      rows.push(...(await webhooks({ directory: join(directory, 'webhooks'), scale, progress })));
    if (wanted.includes('infrastructure'))
      rows.push(...(await infrastructure({ directory: join(directory, 'infrastructure'), scale, progress })));
    if (wanted.includes('silences'))
      rows.push(...(await silences({ directory: join(directory, 'silences'), scale, progress })));
    if (wanted.includes('reports'))
      rows.push(...(await reports({ directory: join(directory, 'reports'), scale, progress })));
    if (wanted.includes('ai')) rows.push(...(await ai({ directory: join(directory, 'ai'), scale, progress })));
    if (wanted.includes('quality')) {
      const seeds = options.seeds.split(',').map(Number);
      if (!seeds.every(Number.isSafeInteger)) throw new Error('--seeds: expected whole numbers, such as 1,2,3');
      rows.push(...(await quality({ seeds, progress })));
    }
    const profiles = options.profiles ?? null;
    if (wanted.includes('distributed')) rows.push(...(await distributed({ scale, profiles, progress })));
    const machine = { cores: availableParallelism(), load: loadavg()[0], node: process.version };
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
    console.log(options.json ? JSON.stringify({ machine, rows }, null, 2) : tableOf(rows));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

await main();
