/**
 * `node bench/entered-files.ts [--list]`: the product files and functions that one `POST /api/events/ingest` enters on the main thread of
 * the embedded server, by room. The event is new, is bound to a CI by its hostname and joins a group. V8 counts calls.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { TOKEN } from './token.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The first requests fill caches and compile; those that are counted differ by chance, as a job of the background comes between. */
const WARM_UP = 40;
const COUNTED = 9;

interface Entered {
  readonly functions: number;
  readonly calls: number;
}

/** By path of the file, since the counts were taken last. */
const entered = async (profiler: Session): Promise<Map<string, Entered>> => {
  const { result } = await profiler.post('Profiler.takePreciseCoverage');
  const files = new Map<string, Entered>();
  for (const { url, functions } of result) {
    if (!url.startsWith('file://')) continue;
    const path = relative(ROOT, fileURLToPath(url));
    if (/^(\.\.|node_modules|bench)\//.test(path)) continue;
    const counts = functions.map(({ ranges }) => ranges[0]?.count ?? 0).filter((count) => count > 0);
    if (counts.length > 0)
      files.set(path, { functions: counts.length, calls: counts.reduce((sum, count) => sum + count, 0) });
  }
  return files;
};

const post = async (url: string, path: string, body: object): Promise<Record<string, unknown>> => {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
};

/** A switch and servers that depend on it. */
const fillInfrastructure = async (url: string): Promise<void> => {
  const idOf = async (name: string, type: string): Promise<unknown> => {
    const made = await post(url, '/api/cmdb/ci', { name, type, attributes: { hostname: name } });
    return (made.data as { readonly _id: string })._id;
  };
  const target_ci = await idOf('sw-1', 'network_device');
  for (const name of ['web-1', 'web-2', 'web-3', 'web-4']) {
    const source_ci = await idOf(name, 'server');
    await post(url, '/api/cmdb/relationships', { type: 'depends_on', source_ci, target_ci });
  }
};

let sent = 0;
/** A complaint that nobody made before, of one of the servers. */
const complain = async (url: string): Promise<Record<string, unknown>> => {
  const n = ++sent;
  const event = { source: 'bench', sourceId: `s${n}`, severity: 'critical', hostname: `web-${(n % 4) + 1}` };
  return post(url, '/api/events/ingest', { ...event, title: `Complaint ${'abcdefghijklmnopqrstuvwxyz'[n % 26]}${n}` });
};

const measure = async (profiler: Session, url: string): Promise<Map<string, Entered>[]> => {
  await fillInfrastructure(url);
  for (let n = 0; n < WARM_UP; n++) await complain(url);
  const runs: Map<string, Entered>[] = [];
  for (let n = 0; n < COUNTED; n++) {
    // What the last request left for later is over.
    await setTimeout(300);
    await entered(profiler);
    const answer = await complain(url);
    runs.push(await entered(profiler));
    const { correlationId, outcome } = answer;
    if (typeof correlationId !== 'string')
      throw new Error(`Not in a group: ${JSON.stringify({ outcome, correlationId })}`);
  }
  return runs;
};

const roomOf = (path: string): string => path.split('/').slice(0, 2).join('/');

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: { list: { type: 'boolean', default: false } } });
  const profiler = new Session();
  profiler.connect();
  await profiler.post('Profiler.enable');
  await profiler.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const { start } = await import('#app');
  const { readConfig } = await import('#infra/config.ts');
  const directory = mkdtempSync(join(tmpdir(), 'faultline-entered-'));
  const given = { FAULTLINE_DATA: directory, FAULTLINE_BOOTSTRAP_TOKEN: TOKEN, FAULTLINE_ADMIN_PASSWORD: TOKEN };
  const more = { FAULTLINE_LOG_LEVEL: 'warn', PORT: '0', HOST: '127.0.0.1' };
  const app = await start(readConfig({ ...given, ...more }));
  try {
    const runs = await measure(profiler, app.url);
    const always = [...runs[0]!].filter(([path]) => runs.every((run) => run.has(path)));
    const total = (pick: (one: Entered) => number): number => always.reduce((sum, [, one]) => sum + pick(one), 0);
    const rooms = [...Map.groupBy(always, ([path]) => roomOf(path))].sort(([, a], [, b]) => b.length - a.length);
    for (const [room, files] of rooms) {
      console.log(`${String(files.length).padStart(4)}  ${room}`);
      if (values.list) for (const [path, { functions }] of files) console.log(`        ${functions} ${path}`);
    }
    console.log(
      `${always.length} files, ${total((one) => one.functions)} functions, ${total((one) => one.calls)} calls`,
    );
  } finally {
    await app.stop();
    profiler.disconnect();
    rmSync(directory, { recursive: true, force: true });
  }
};

await main();
