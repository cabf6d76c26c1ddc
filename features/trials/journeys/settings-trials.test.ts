import { describe, expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';

/** Correlation settings tried on stored events. */

const MINUTE = 60_000;
const PATH = '/api/admin/settings/correlation';

const app = appOfTests();
let tenants = 0;

interface Sent {
  readonly host: string;
  readonly title: string;
  readonly at: number;
  readonly service?: string;
  readonly severity?: string;
  /** Resolved after this time in ms. */
  readonly until?: number;
}

const fresh = async (settings: object = {}) => {
  const token = await app.tenant(`trial-${++tenants}`);
  const send = async (method: string, path: string, body?: unknown, expected = 299) => {
    const reply = await app.send(method, path, body, { token });
    if (reply.status > expected) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply;
  };
  await send('PUT', PATH, settings);
  return { token, send };
};
type Tenant = Awaited<ReturnType<typeof fresh>>;

/** Event ids by number. */
const play = async ({ send }: Tenant, story: readonly Sent[]): Promise<string[]> => {
  const ids: string[] = [];
  for (const [n, { host, title, at, service, severity = 'major', until }] of story.entries()) {
    const event = { source: 'test', sourceId: `s${n}`, severity, title, hostname: host, timestamp: at, service };
    ids.push((await send('POST', '/api/events/ingest', event)).body.eventId);
    if (until === undefined) continue;
    await send('PATCH', `/api/events/${ids[n]}/status`, { status: 'resolved', notes: 'over' });
  }
  await app.app.idle();
  return ids;
};

/** A mix of events for a day: bursts of a service, the same problem on many hosts, single ones; seeded. */
const storyOf = (seed: number, count: number): Sent[] => {
  let state = seed;
  const next = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  let at = START - 8 * 60 * MINUTE;
  return Array.from({ length: count }, (_, n) => {
    at += next(4) === 0 ? next(25 * MINUTE) : next(90_000);
    const kind = next(4);
    const service = kind === 0 ? `svc${next(3)}` : undefined;
    const title = kind === 1 ? 'Disk slow' : `Odd thing ${'abcdefgh'[next(8)]}${'ijklm'[next(5)]}`;
    const severity = ['critical', 'major', 'minor', 'warning'][next(4)]!;
    return {
      host: `h${next(40)}-${n}`,
      title,
      at,
      severity,
      ...(service && { service }),
      ...(next(6) === 0 && { until: 1 }),
    };
  });
};

/** Returns groups as sets of numbers of the story, independent of their ids. */
const groupsOf = async ({ send }: Tenant, ids: readonly string[]): Promise<string[]> => {
  const found = new Map<string, number[]>();
  let cursor = '';
  const numbers = new Map(ids.map((id, n) => [id, n]));
  do {
    const { events, pagination } = (await send('GET', `/api/events?status=all&limit=100${cursor}`)).body;
    for (const { eventId, correlationId } of events)
      if (correlationId !== null)
        found.set(correlationId, [...(found.get(correlationId) ?? []), numbers.get(eventId)!]);
    cursor = pagination.nextCursor ? `&cursor=${encodeURIComponent(pagination.nextCursor)}` : '';
  } while (cursor !== '');
  return [...found.values()].map((members) => members.sort((a, b) => a - b).join(' ')).sort();
};

const tried = async ({ send }: Tenant, patch: object, hours = 24) => {
  const started = await send('POST', `${PATH}/trials`, { patch, hours });
  expect(started.status).toBe(202);
  await app.app.idle();
  const { data } = (await send('GET', started.headers.get('location')!)).body;
  expect([data.state, data.error, data.done]).toEqual(['completed', null, 1]);
  return data;
};

const countsOf = (groups: readonly string[], events: number) => {
  const sizes = groups.map((one) => one.split(' ').length);
  const grouped = sizes.reduce((sum, size) => sum + size, 0);
  return { groups: groups.length, grouped, largest: Math.max(0, ...sizes), noise: events - grouped };
};

const PATCHES = {
  'a higher threshold': { threshold: 0.93 },
  'a lower threshold': { threshold: 0.55 },
  'without temporal': { strategies: { temporal: { enabled: false } } },
  'a short window': { strategies: { temporal: { windowMs: 120_000 }, service: { windowMs: 60_000 } } },
  'literal scores': { profile: 'specified' },
  'small groups': { guards: { maxSize: 3, maxSpanMs: 600_000 } },
} as const;

describe('a trial', () => {
  test.each(Object.entries(PATCHES))(
    'with %s predicts the groups of a replay, and says how they are',
    async (_, patch) => {
      const story = storyOf(7, 120);
      const now = await fresh();
      const ids = await play(now, story);
      const before = await groupsOf(now, ids);
      const replayed = await fresh(patch);
      const after = await groupsOf(replayed, await play(replayed, story));
      expect(after).not.toEqual(before);
      const said = await tried(now, patch);
      expect(said.before).toEqual(countsOf(before, story.length));
      expect(said.after).toEqual(countsOf(after, story.length));
      expect(said.changed).toBeGreaterThan(0);
    },
  );

  test('of what is set already changes nothing', async () => {
    const one = await fresh();
    const ids = await play(one, storyOf(3, 60));
    const said = await tried(one, {});
    expect(said).toMatchObject({ changes: [], changed: 0, events: 60, truncated: false });
    expect(said.before).toEqual(countsOf(await groupsOf(one, ids), 60));
    expect(said.after).toEqual(said.before);
  });
});
