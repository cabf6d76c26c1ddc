import { describe, expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import { seededBytes } from '#test/setup/set-clock.ts';

const app = appOfTests();
let serial = 0;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const openTenant = async (settings?: object) => {
  const token = await app.tenant(`profile-${++serial}`);
  const send = async (method: string, path: string, body?: unknown) => {
    const reply = await app.send(method, path, body, { token });
    if (reply.status > 299) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  if (settings) await send('PUT', '/api/admin/settings/correlation', settings);
  const ci = async (name: string) => (await send('POST', '/v1/cmdb/ci', { name, type: 'server' })).id as string;
  const relate = (type: string, source_ci: string, target_ci: string, attributes = {}) =>
    send('POST', '/v1/cmdb/relationships', { type, source_ci, target_ci, attributes });
  return { send, ci, relate };
};

/** a ← b ← c ← d by dependency; e contains a; f contains a by a critical edge. */
const furnished = async (profile: string) => {
  const { send, ci, relate } = await openTenant({ profile });
  const [a, b, c, d, e, f] = [await ci('a'), await ci('b'), await ci('c'), await ci('d'), await ci('e'), await ci('f')];
  for (const [from, to] of [
    [b, a],
    [c, b],
    [d, c],
  ] as const)
    await relate('depends_on', from, to);
  await relate('contains', e, a);
  await relate('contains', f, a, { criticality: 'high' });
  return send;
};

const same = { title: 'Clock drifts' };
/**
 * Distance of 60 s; the numbers are the formulas of docs/specification.md §5 with Δt = 60 s and the default windows.
 */
const TABLE: readonly (readonly [string, string, number, object, object])[] = [
  ['temporal', 'W 30 min', Math.exp((-2 * 60) / 1_800), { hostname: 'x' }, { hostname: 'y' }],
  ['dependency', 'the same CI', 1, { hostname: 'a' }, { hostname: 'a' }],
  ['dependency', 'direct', 1, { hostname: 'a' }, { hostname: 'b' }],
  ['dependency', 'one hop', 0.7 + 0.2 * (1 - 60 / 900), { hostname: 'a' }, { hostname: 'c' }],
  ['dependency', 'two hops', 0.5 + 0.2 * (1 - 60 / 900), { hostname: 'a' }, { hostname: 'd' }],
  ['dependency', 'no zigzag', 0, { hostname: 'e' }, { hostname: 'b' }],
  ['topology', 'neighbours', 0.7 * (1 - 0.3 * (60 / 600)), { hostname: 'e' }, { hostname: 'a' }],
  ['topology', 'critical neighbours', 0.9 * (1 - 0.3 * (60 / 600)), { hostname: 'f' }, { hostname: 'a' }],
  ['topology', 'two hops', 0.7 * (1 - 0.3 * (60 / 600)), { hostname: 'e' }, { hostname: 'b' }],
  ['topology', 'three hops are too far', 0, { hostname: 'e' }, { hostname: 'c' }],
  ['pattern', 'two systems', 0.9 + 0.1 * (1 - 60 / 3_600), { hostname: 'x', ...same }, { hostname: 'y', ...same }],
  ['service', 'one service', 0.8, { hostname: 'x', service: 'Shop' }, { hostname: 'y', service: 'shop' }],
];

describe('two events 60 s apart, alone in a quiet tenant, get exactly the literal score', () => {
  describe.each(['calibrated', 'specified'])('by profile %s', (profile) => {
    test.each(TABLE)('%s: %s → %d', async (strategy, _, literal, first, second) => {
      const send = await furnished(profile);
      app.clock.advance(MINUTE);
      const at = app.clock.now();
      const event = { source: 's', severity: 'minor' };
      const one = await send('POST', '/api/events/ingest', {
        ...event,
        sourceId: '1',
        title: 'Fan noise',
        timestamp: at - MINUTE,
        ...first,
      });
      const two = await send('POST', '/api/events/ingest', {
        ...event,
        sourceId: '2',
        title: 'Tape library empty',
        timestamp: at,
        ...second,
      });
      const said = await send('GET', `/api/events/${two.eventId}/explain?with=${one.eventId}`);
      expect(said.profile).toBe(profile);
      const found = said.strategies.find((each: { strategy: string }) => each.strategy === strategy);
      expect(found.literalScore).toBeCloseTo(literal, 12);
      expect([found.factor, found.score]).toEqual([1, found.literalScore]);
      expect(found.joined).toBe(literal > 0.7);
    });
  });
});

/** A day of faults and noise on forty hosts; the same for every tenant. */
const aDay = (start: number) => {
  const byte = seededBytes(11);
  const random = (below: number) => ((byte() << 8) | byte()) % below;
  const titles = ['Link down', 'Queries blocked', 'HTTP 503', 'Latency high', 'Disk full'];
  return Array.from({ length: 400 }, (_, n) => {
    const burst = n % 4 === 0 ? random(24 * 3_600) : -1;
    return {
      n,
      burst,
      jitter: random(240),
      host: random(40),
      title: titles[random(titles.length)],
      ends: random(3) === 0,
    };
  })
    .map((event, n, all) => ({ ...event, second: (all[n - (n % 4)]?.burst ?? 0) + event.jitter }))
    .flatMap(({ n, second, host, title, ends }) => {
      const id = { source: 's', sourceId: `e${n}` };
      const event = { ...id, severity: 'major', title, hostname: `h${host}`, timestamp: start + second * 1_000 };
      const over = { ...id, status: 'resolved', timestamp: event.timestamp + 5 * MINUTE };
      return ends ? [event, over] : [event];
    })
    .sort((a, b) => a.timestamp - b.timestamp);
};

/** Members of every group by the sender's ids, the candidate first. */
const groupsOf = async (send: Awaited<ReturnType<typeof openTenant>>['send']) => {
  const groups: string[][] = [];
  for (let page = 1, more = true; more; page++) {
    const listed = await send('GET', `/api/events/groups?limit=100&page=${page}`);
    for (const { rootCauseCandidate } of listed.groups) {
      const { correlationGroup } = await send('GET', `/api/events/${rootCauseCandidate.eventId}`);
      const members = correlationGroup.events.map(
        (event: { sourceId: string; eventId: string; occurrenceCount: number }) => {
          const mark = event.eventId === rootCauseCandidate.eventId ? '*' : '';
          return `${event.sourceId}×${event.occurrenceCount}${mark}`;
        },
      );
      groups.push(members.sort());
    }
    more = listed.groups.length === 100;
  }
  return groups.sort();
};

test.each(['calibrated', 'specified'])(
  'a day of stored events fed in a minute gives the groups of the same events fed as they came (%s)',
  async (profile) => {
    const start = app.clock.now() + HOUR;
    const day = aDay(start);
    const fed = async (slices: readonly (readonly object[])[], move: (slice: readonly object[]) => void) => {
      const { send, ci, relate } = await openTenant({ profile });
      const ids: string[] = [];
      for (let host = 0; host < 40; host++) ids.push(await ci(`h${host}`));
      for (let host = 1; host < 40; host++) await relate('depends_on', ids[host] as string, ids[host >> 1] as string);
      for (const slice of slices) {
        move(slice);
        await send('POST', '/api/events/bulk-ingest', { events: slice });
      }
      return groupsOf(send);
    };
    const slices = Array.from({ length: 24 }, (_, hour) =>
      day.filter(({ timestamp }) => Math.min(23, Math.floor((timestamp - start) / HOUR)) === hour),
    ).filter((slice) => slice.length > 0);
    const asItCame = await fed(slices, (slice) => app.clock.set((slice.at(-1) as { timestamp: number }).timestamp));
    const atOnce = await fed([day], () => app.clock.set(start + 25 * HOUR));
    expect(atOnce).toEqual(asItCame);
    expect(asItCame.length).toBeGreaterThan(3);
  },
);
