/**
 * Kills the server with SIGKILL at random moments under load and starts it again, many times. Unanswered requests are sent
 * again under the same ids. At the end every occurrence that was ever sent must count exactly once, and webhooks must have sent
 * every answered change of a CI, every event and every group, with one content each. Every message to a door of other tools
 * must be one event. Every sink must have consumed all of its
 * events.
 *
 *   npm run test:kill -- [rounds] [seed]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededBytes } from '#test/setup/set-clock.ts';
import { type Launched, launch } from './launch.ts';
import { settledSinks } from './settled-sinks.ts';
import { toldDoors } from './told-doors.ts';
import { openToldHooks } from './told-hooks.ts';

const [rounds, seed] = [Number(process.argv[2] ?? 50), Number(process.argv[3] ?? 1)];
if (!Number.isInteger(rounds) || rounds < 1 || !Number.isInteger(seed)) {
  console.error('npm run test:kill -- [rounds] [seed]: two whole numbers, as in `npm run test:kill -- 50 7`');
  process.exit(2);
}
const TOKEN = 'token-of-the-kill-nine-script';
const SENDERS = 6;
const HOSTS = 40;
const CHANGERS = 4;
const DOOR_SENDERS = 6;

const nextByte = seededBytes(seed);
const random = (below: number): number => ((nextByte() << 16) | (nextByte() << 8) | nextByte()) % below;

const data = mkdtempSync(join(tmpdir(), 'faultline-kill-'));
const env = {
  PORT: '0',
  FAULTLINE_DATA: data,
  FAULTLINE_BOOTSTRAP_TOKEN: TOKEN,
  FAULTLINE_ADMIN_PASSWORD: 'a password for this run',
  FAULTLINE_LIMIT_SCALE: '0',
  FAULTLINE_LOG_LEVEL: 'warn',
  FAULTLINE_OUTBOUND_ALLOW: '127.0.0.0/8',
};
const hooks = await openToldHooks(TOKEN);
const doors = toldDoors(TOKEN);

const startServer = (): Promise<Launched> => launch(env);

const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/cloudevents-batch+json' };

/**
 * Problems sent by host (checks that differ by number alone are deduplicated); the ids of answered events; batches
 * still to be answered.
 */
const sent = new Map<string, number>();
const acknowledged = new Set<string>();
const waiting: string[] = [];
let occurrences = 0;
let serial = 0;
let answered = 0;

const makeBatch = (): string => {
  const hosts: string[] = [];
  const events = Array.from({ length: 1 + random(30) }, () => {
    const hostname = `host-${random(HOSTS)}`;
    const check = random(5);
    hosts.push(hostname);
    const id = `n${++serial}`;
    const body = { title: `Check ${check} failed`, severity: 'major', hostname };
    return {
      specversion: '1.0',
      id,
      source: 'kill-nine',
      type: 'check.firing',
      subject: `${hostname}/${check}`,
      data: body,
    };
  });
  for (const host of hosts) sent.set(host, (sent.get(host) ?? 0) + 1);
  occurrences += events.length;
  return JSON.stringify(events);
};

/** Sends until the server dies; a batch without an answer is queued again. */
const sendOn = async (server: Launched, isOver: () => boolean): Promise<void> => {
  while (!isOver()) {
    const batch = waiting.pop() ?? makeBatch();
    try {
      const response = await fetch(`${server.url}/api/events/webhook/cloudevents`, {
        method: 'POST',
        headers,
        body: batch,
      });
      if (response.status !== 200)
        throw new Error(`status ${response.status}: ${(await response.text()).slice(0, 300)}`);
      const { results } = (await response.json()) as { results: { eventId: string; status: string }[] };
      for (const { eventId } of results) acknowledged.add(eventId);
      answered += results.length;
    } catch (error) {
      waiting.push(batch);
      if (error instanceof Error && error.message.startsWith('status')) throw error;
      return;
    }
  }
};

/** Maximum time of the first answer on this machine; every fourth kill does not wait for it. */
const ANSWER_MS = 5_000;
const firstAnswer = async (): Promise<void> => {
  const [before, since] = [answered, performance.now()];
  while (answered === before && performance.now() - since < ANSWER_MS) await sleep(5);
};

const oneRound = async (): Promise<void> => {
  const server = await startServer();
  await hooks.register(server);
  let over = false;
  const senders = Array.from({ length: SENDERS }, () => sendOn(server, () => over));
  for (let n = 0; n < CHANGERS; n++) senders.push(hooks.changeOn(server, () => over));
  for (let n = 0; n < DOOR_SENDERS; n++) senders.push(doors.sendOn(server, () => over));
  if (random(4) > 0) await firstAnswer();
  await sleep(20 + random(600));
  over = true;
  server.process.kill('SIGKILL');
  await server.exited;
  await Promise.all(senders);
};

/** All pages of a list of the events surface. */
const pagesOf = async <Page>(server: Launched, path: string): Promise<Page[]> => {
  const pages: Page[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const more = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const response: Response = await fetch(`${server.url}${path}?limit=100${more}`, { headers });
    const page = (await response.json()) as Page & { readonly pagination: { readonly nextCursor: string | null } };
    pages.push(page);
    cursor = page.pagination.nextCursor;
  }
  return pages;
};

const groupsOn = async (server: Launched): Promise<string[]> => {
  const pages = await pagesOf<{ groups: { correlationId: string }[] }>(server, '/api/events/groups');
  return pages.flatMap(({ groups }) => groups.map(({ correlationId }) => correlationId));
};

const verify = async (): Promise<string[]> => {
  const server = await startServer();
  const problems: string[] = [];
  await sendOn(server, () => waiting.length === 0);
  await doors.sendOn(server, doors.isDone);
  problems.push(...(await settledSinks(server.url, TOKEN)));
  const counted = new Map<string, number>();
  const events: string[] = [];
  const atDoors: string[] = [];
  type Page = { events: { eventId: string; occurrenceCount: number; hostname: string }[] };
  for (const page of await pagesOf<Page>(server, '/api/events'))
    for (const { eventId, occurrenceCount, hostname } of page.events) {
      acknowledged.delete(eventId);
      events.push(eventId);
      if (doors.isOurs(hostname)) atDoors.push(hostname);
      counted.set(hostname, (counted.get(hostname) ?? 0) + occurrenceCount);
    }
  for (const [host, times] of sent) {
    const stored = counted.get(host) ?? 0;
    if (stored !== times) problems.push(`${host}: sent ${times}, counted ${stored}`);
  }
  problems.push(...doors.problems(atDoors));
  const groups = await groupsOn(server);
  problems.push(...(await hooks.problems({ events, groups })));
  for (const eventId of acknowledged) problems.push(`${eventId}: acknowledged, not stored`);
  server.process.kill('SIGTERM');
  const code = await server.exited;
  if (code !== 0) problems.push(`the server ended with code ${code} after SIGTERM`);
  return problems;
};

try {
  for (let round = 1; round <= rounds; round++) {
    await oneRound();
    if (round % 10 === 0) console.log(`${round} kills, ${occurrences} occurrences sent, ${answered} answers`);
  }
  const problems = await verify();
  console.log(`${rounds} kills (seed ${seed}): ${occurrences} occurrences of ${sent.size} hosts, ${answered} answers`);
  console.log(hooks.summary());
  console.log(doors.summary());
  for (const problem of problems.slice(0, 20)) console.log(problem);
  console.log(problems.length === 0 ? '0 lost, 0 counted twice' : `${problems.length} problems`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await hooks.stop();
  rmSync(data, { recursive: true, force: true });
}
