import { describe, expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';

/** Reason why two events are separate, or together, regardless of the current result of the strategies. */

const MINUTE = 60_000;
const T = START - 360 * MINUTE;

const it = appOfTests();
let tokens = 0;

/** A tenant of its own for each test. */
const fresh = async (settings: object) => {
  const token = await it.tenant(`explain-${++tokens}`);
  const send = async (method: string, path: string, body?: unknown) => {
    const reply = await it.send(method, path, body, { token });
    if (reply.status > 299) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const set = (changes: object) => send('PUT', '/api/admin/settings/correlation', changes);
  await set(settings);
  let serial = 0;
  /** One event; its id. */
  const ingest = async (hostname: string, gap: number, more: object = {}): Promise<string> => {
    const event = { source: 'test', sourceId: `${++serial}`, severity: 'major', title: `Odd thing on ${hostname}` };
    return (await send('POST', '/api/events/ingest', { ...event, hostname, timestamp: T + gap, ...more })).eventId;
  };
  const explain = (one: string, two: string) => send('GET', `/api/events/${one}/explain?with=${two}`);
  return { send, set, ingest, explain };
};

const joinedBy = ({ strategies }: { strategies: { strategy: string; joined: boolean }[] }) =>
  strategies.filter(({ joined }) => joined).map(({ strategy }) => strategy);

const resolving = (status: 'firing' | 'resolved', at: number) => ({
  alerts: [
    {
      status,
      labels: { alertname: 'Odd thing', instance: 'h9', severity: 'warning' },
      startsAt: new Date(at).toISOString(),
      ...(status === 'resolved' && { endsAt: new Date(at).toISOString() }),
    },
  ],
});

describe('two events that no strategy compared', () => {
  test('one came late', async () => {
    const { ingest, explain } = await fresh({ latenessMs: 10 * MINUTE });
    await ingest('w', 60 * MINUTE);
    const timely = await ingest('l0', 50 * MINUTE);
    const late = await ingest('l1', 50 * MINUTE - 1);
    for (const said of [await explain(timely, late), await explain(late, timely)]) {
      expect(joinedBy(said)).toContain('temporal');
      expect(said).toMatchObject({ together: false, refusedBy: null });
      expect(said.notCompared).toEqual({
        cause: 'late',
        eventId: late,
        reason: 'not compared: “Odd thing on l1” arrived late, more than 10m behind the newest event',
      });
    }
  });

  test('one was over before it came', async () => {
    const { ingest, explain, send } = await fresh({});
    const hook = (body: object) => send('POST', '/api/events/webhook/prometheus', body);
    const open = await ingest('l0', 110 * MINUTE);
    await hook(resolving('resolved', T + 112 * MINUTE));
    const over = (await hook(resolving('firing', T + 110 * MINUTE))).results[0].eventId;
    const said = await explain(open, over);
    expect(joinedBy(said)).toContain('temporal');
    expect(said).toMatchObject({ together: false, notCompared: { cause: 'resolved_on_arrival', eventId: over } });
  });

  test('one was not among the nearest candidates, which the event shows too', async () => {
    const temporalAlone = { dependency: off, topology: off, pattern: off, service: off };
    const { ingest, explain, send } = await fresh({
      candidates: { perKey: 2 },
      guards: { maxSize: 2 },
      strategies: temporalAlone,
    });
    const ids: string[] = [];
    for (let i = 0; i < 6; i++) ids.push(await ingest(`h${i}`, i * 1_000));
    const [first, last] = [ids[0]!, ids[5]!];
    expect(await explain(first, last)).toMatchObject({
      together: false,
      refusedBy: null,
      notCompared: {
        cause: 'truncated',
        eventId: first,
        truncated: { temporal: 3 },
        reason: 'not compared: “Odd thing on h0” exceeded the candidate limit; temporal skipped 3',
      },
    });
    for (const path of [last, `${last}/correlations`])
      expect((await send('GET', `/api/events/${path}`)).truncated).toEqual({ temporal: 3 });
    expect(await send('GET', `/api/events/${first}`)).not.toHaveProperty('truncated');
  });
});

const off = { enabled: false };

describe('two events that a guard keeps apart', () => {
  test('are told which, beyond the links that are kept too', async () => {
    const { ingest, explain, send } = await fresh({ guards: { maxSize: 10 } });
    const ids: string[] = [];
    for (let i = 0; i < 11; i++) ids.push(await ingest(`h${i}`, i * 1_000, { title: 'Disk slow' }));
    const last = ids[10]!;
    for (const id of ids.slice(0, 10)) {
      expect(await explain(id, last)).toMatchObject({ together: false, refusedBy: 'size', notCompared: null });
      expect(await explain(last, id)).toMatchObject({ together: false, refusedBy: 'size', notCompared: null });
    }
    expect(await explain(ids[0]!, ids[1]!)).toMatchObject({ together: true, refusedBy: null, notCompared: null });
    const { correlations } = await send('POST', `/api/events/${last}/correlate`);
    expect(correlations).toMatchObject({ isCorrelated: true, correlationId: null });
    expect(correlations.correlatedEvents).toHaveLength(10);
    for (const link of correlations.correlatedEvents) expect(link.refusedBy).toBe('size');
  });
});

describe('in a busy estate', () => {
  test('two large groups that too few events link stay apart, and explain says why', async () => {
    const { ingest, explain } = await fresh({});
    for (let i = 0; i < 26; i++) await ingest(`pulse${i}`, i * 10 * MINUTE);
    const start = 255 * MINUTE;
    const shop: string[] = [];
    for (let i = 0; i < 8; i++)
      shop.push(await ingest(`shop${i}`, start + i * 100, { service: 'shop', title: 'Cart broken' }));
    // Too far for rare events by time alone, near enough for those of one service.
    const later = start + 80_000;
    for (let i = 0; i < 8; i++) {
      const at = later + i * 100;
      await ingest(`mail${i}`, at, { service: 'mail', title: 'Queue stuck' });
    }
    const both = { service: 'shop', application: 'mail', title: 'Both odd' };
    const between = await ingest('between', later + 900, both);
    const said = await explain(shop[7]!, between);
    expect(joinedBy(said)).toContain('service');
    expect(said).toMatchObject({ together: false, refusedBy: 'witnesses' });
    expect(said.refusedReason).toContain('at least two linking events, or 30% of the smaller group');
  });

  test('an event that is usual is told as such, with how much of the time it was there', async () => {
    const { ingest, explain, send } = await fresh({ dedupWindowMs: MINUTE });
    const pulse = (at: number) => ingest('pulse', at, { title: 'Backup slow', sourceId: 'pulse' });
    for (let i = 0; i < 18; i++)
      await send('PATCH', `/api/events/${await pulse(i * 10 * MINUTE)}/status`, { status: 'resolved', notes: 'over' });
    const [usual, other] = [await pulse(180 * MINUTE), await ingest('db', 181 * MINUTE, { title: 'Database down' })];
    expect((await explain(usual, other)).usual).toEqual([
      { eventId: usual, reason: expect.stringContaining('active in 75% of the 4 hours before it started') },
    ]);
  });
});

describe('the profile', () => {
  test('is that of the later event, in whichever order the two are named', async () => {
    const { ingest, explain, set, send } = await fresh({ profile: 'calibrated' });
    const [a, b] = [await ingest('a', 0), await ingest('b', 1_000)];
    await set({ profile: 'specified' });
    const c = await ingest('c', 2_000);
    for (const [one, two, profile] of [
      [a, b, 'calibrated'],
      [b, a, 'calibrated'],
      [b, c, 'specified'],
      [c, b, 'specified'],
    ] as const)
      expect((await explain(one, two)).profile).toBe(profile);
    const { correlations } = await send('GET', `/api/events/${a}/correlations`);
    const profiles = correlations.map((link: { eventId: string; profile: string }) => [link.eventId, link.profile]);
    expect(Object.fromEntries(profiles)).toEqual({ [b]: 'calibrated', [c]: 'specified' });
  });
});

test('what a person has put together is told as such', async () => {
  const { ingest, explain, send } = await fresh({});
  const a = await ingest('a', 0, { title: 'Tape library empty' });
  const b = await ingest('b', 50 * MINUTE, { title: 'Fan noise' });
  const c = await ingest('c', 100 * MINUTE, { title: 'Clock drifts' });
  expect(await explain(a, b)).toMatchObject({ together: false, manual: false });
  await send('POST', '/api/events/correlate', { primaryEventId: a, relatedEventIds: [b, c] });
  for (const [one, two] of [
    [a, b],
    [b, a],
    [b, c],
  ] as const)
    expect(await explain(one, two)).toMatchObject({ together: true, manual: true });
});
