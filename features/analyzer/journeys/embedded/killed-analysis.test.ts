import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { type AnalysisStep, STEPS } from '#features/analyzer/use-cases/infrastructure/progress-event.ts';
import { type Launched, launch } from '#test/faults/launch.ts';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { readStream } from '#test/setup/read-stream.ts';
import { longest, runs } from '#test/setup/runs.ts';
import { seededBytes } from '#test/setup/set-clock.ts';
import { DEGREES, makeInfrastructure } from '../../../../bench/infrastructures.ts';

/* An infrastructure analysis whose process is killed goes on from its last step, and finds the same. */

const TOKEN = 'token-of-the-killed-analysis';
const PATH = '/api/business-service-analyzer/infrastructure-analysis';
/** Where it is killed, more or less: some milliseconds after the step has been heard of. */
const KILLED_IN = ['load', 'load', 'split', 'classify', 'score'].slice(-runs({ short: 2, long: 5 }));
const SERVICES = 20;

const headers = { authorization: `Bearer ${TOKEN}` };

async function ask(
  { url }: Launched,
  method: string,
  path: string,
  body?: string,
  type = 'application/json',
  // biome-ignore lint/suspicious/noExplicitAny: replies of several shapes.
): Promise<any> {
  const response = await fetch(url + path, {
    method,
    headers: { ...headers, 'content-type': type },
    body: body ?? null,
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function fill(server: Launched): Promise<void> {
  const { estate } = makeInfrastructure(SERVICES, DEGREES[1]!, 3);
  const cis = estate.cis.map(({ id, name, type }) => JSON.stringify({ name, type, external_key: id })).join('\n');
  await ask(server, 'POST', '/v1/cmdb/import/ci', cis, 'application/x-ndjson');
  const seen = new Set<string>();
  const links = estate.links.flatMap(({ source, target, type, port }) => {
    const ends = { type, source_ci: estate.cis[source]!.id, target_ci: estate.cis[target]!.id };
    const key = JSON.stringify(ends);
    if (seen.has(key)) return [];
    seen.add(key);
    return [JSON.stringify({ ...ends, attributes: port === null ? {} : { port } })];
  });
  await ask(server, 'POST', '/v1/cmdb/import/relationships', links.join('\n'), 'application/x-ndjson');
}

const resultOf = async (server: Launched, session: string) => {
  for (;;) {
    const { status, services, statistics } = await ask(server, 'GET', `${PATH}/${session}?limit=50`);
    if (status !== 'running') return { status, services, statistics };
    await sleep(50);
  }
};

/** Listens until a step is told, or a later one, and says which; empty when the analysis ended before. */
async function heard(url: string, step: string): Promise<string> {
  const { body } = await fetch(url);
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body!) {
    text += decoder.decode(chunk, { stream: true });
    const told = [...text.matchAll(/"step":"(\w+)"/g)].map(([, name]) => name!);
    const last = told.at(-1);
    if (text.includes('"type":"complete"')) break;
    if (last === undefined || STEPS.indexOf(last as AnalysisStep) < STEPS.indexOf(step as AnalysisStep)) continue;
    return last;
  }
  return '';
}

test(
  'killed at random it finds the same',
  async () => {
    const directory = temporaryDirectory();
    const env = {
      PORT: '0',
      FAULTLINE_DATA: directory.path,
      FAULTLINE_BOOTSTRAP_TOKEN: TOKEN,
      FAULTLINE_LIMIT_SCALE: '0',
      FAULTLINE_ADMIN_PASSWORD: 'a password for this run',
      FAULTLINE_LOG_LEVEL: 'warn',
    };
    const random = seededBytes(11);
    let server = await launch(env);
    try {
      await fill(server);
      await ask(server, 'POST', PATH, JSON.stringify({ sessionId: 'calm-session' }));
      const calm = await resultOf(server, 'calm-session');
      expect(calm).toMatchObject({ status: 'completed' });
      expect(calm.services.length).toBeGreaterThan(15);

      const { streamUrl } = await ask(server, 'POST', PATH, JSON.stringify({ sessionId: 'killed-session' }));
      const steps = new Set<string>();
      for (const step of KILLED_IN) {
        steps.add(await heard(server.url + streamUrl, step));
        await sleep(random() / 8);
        server.process.kill('SIGKILL');
        await server.exited;
        server = await launch(env);
      }
      expect(steps).not.toContain('');
      expect(await resultOf(server, 'killed-session')).toEqual(calm);
      const { events } = await readStream(server.url + streamUrl);
      const told = events.slice(1);
      expect(told.map(({ id }) => id)).toEqual(told.map((_, i) => i + 1));
      expect(told.filter(({ data }) => data.type === 'complete')).toHaveLength(1);
      server.process.kill('SIGTERM');
      expect(await server.exited).toBe(0);
    } finally {
      server.process.kill('SIGKILL');
      directory.remove();
    }
  },
  longest(120_000),
);
