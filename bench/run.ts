/** `npm run bench -- --help` lists what it measures; nothing named: the embedded server, through HTTP, on a directory that is filled first. */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Argument, Command, InvalidArgumentError } from 'commander';
import { after, idleOf, sustained } from './after.ts';
import { against } from './against.ts';
import { cmdb } from './cmdb.ts';
import { distributed } from './distributed.ts';
import { featureParts } from './feature-parts.ts';
import { groups, groupsDistributed } from './groups.ts';
import { growth } from './growth.ts';
import { bulk, memory, type Scene, single, start } from './parts.ts';
import { type Row, tableOf } from './report.ts';
import { runScript, startServer } from './server.ts';
import { LIVE, Storm } from './storm.ts';

const AFTER_PARTS = { after, sustained } as const;
const SCENE_PARTS = { start, memory, bulk, single } as const;
/** Of the embedded server, which is measured when nothing is named. */
const EMBEDDED = [...Object.keys(SCENE_PARTS), 'growth', 'cmdb', 'webhooks'];
const PARTS = await featureParts();
const NAMES: ReadonlySet<string> = new Set([
  ...Object.keys(SCENE_PARTS),
  'growth',
  'cmdb',
  'groups',
  'groups-distributed',
  'distributed',
  ...Object.keys(AFTER_PARTS),
  ...PARTS.flatMap((parts) => Object.keys(parts)),
]);

const whole = (value: string): number => {
  if (!/^[1-9]\d*$/.test(value)) throw new InvalidArgumentError('Expected a whole number of at least 1.');
  return Number(value);
};
const wholes = (value: string): number[] => value.split(',').map(whole);

const command = new Command('npm run bench --')
  .addArgument(new Argument('[parts...]', 'what is measured').choices([...NAMES]))
  .option('--small', 'a tenth of everything, to try it out', false)
  .option('--json', 'machine-readable figures', false)
  .option('--seeds <numbers>', 'days of the demo for quality', wholes, [1, 2, 3, 4, 5, 6, 7, 8])
  .option('--against <commit>', 'after and sustained: the same of an older commit, in turns')
  .option('--rounds <number>', 'turns of --against', whole, 3)
  .option('--profiles <folder>', 'after, sustained and distributed: where profiles are written')
  .parse();
const options = command.opts<{
  readonly json: boolean;
  readonly small: boolean;
  readonly profiles?: string;
  readonly against?: string;
  readonly rounds: number;
  readonly seeds: readonly number[];
}>();
const wanted = command.args.length === 0 ? EMBEDDED.filter((name) => NAMES.has(name)) : command.args;
const scale = options.small ? 0.1 : 1;
const { seeds } = options;
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
  const server = await startServer(directory);
  const { url, pid, readyMs, stop } = server;
  progress('until the server rests');
  await idleOf(server);
  const open = world.standing + world.recent;
  const scene: Scene = { url, pid, readyMs, storm, stored: world.resolved + open, open };
  const rows: Row[] = [];
  for (const [name, part] of Object.entries(SCENE_PARTS)) {
    if (!wanted.includes(name)) continue;
    progress(name);
    rows.push(...(await part(scene)));
  }
  await stop();
  return rows;
};

/** Each on a directory that nothing was sent to yet. */
const onFresh = async (directory: string): Promise<Row[]> => {
  const profiles = options.profiles ?? null;
  const rows: Row[] = [];
  for (const [name, part] of Object.entries(AFTER_PARTS)) {
    if (!wanted.includes(name)) continue;
    const at = join(directory, name);
    rows.push(...(await part({ directory: at, storm: await fill(at), scale, profiles, progress })));
    rmSync(at, { recursive: true, force: true });
  }
  return rows;
};

const main = async (): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), 'faultline-bench-'));
  try {
    const rows: Row[] = [];
    if (wanted.some((name) => name in SCENE_PARTS)) rows.push(...(await onScene(join(directory, 'scene'))));
    if (wanted.some((name) => name in AFTER_PARTS)) {
      const measure = (round: string) => onFresh(join(directory, round));
      rows.push(
        ...(await (options.against === undefined
          ? measure('after')
          : against(options.against, measure, options.rounds))),
      );
    }
    if (wanted.includes('growth')) rows.push(...(await growth(directory, progress)));
    if (wanted.includes('groups'))
      rows.push(...(await groups({ directory: join(directory, 'groups'), scale, progress })));
    if (wanted.includes('groups-distributed')) rows.push(...(await groupsDistributed({ scale, progress })));
    if (wanted.includes('cmdb')) rows.push(...(await cmdb({ directory: join(directory, 'cmdb'), scale, progress })));
    for (const [at, parts] of PARTS.entries())
      for (const [name, part] of Object.entries(parts))
        if (wanted.includes(name))
          rows.push(...(await part({ directory: join(directory, `${name}-${at}`), scale, seeds, progress })));
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
