import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { storeSourceCounts } from '#application/events/sources/stored-counts.ts';
import { endTests } from '#application/events/sources/test-source.ts';
import { TOKEN_PLACE } from '#sources/kit/card.ts';
import { setupOf } from '#sources/snippets.ts';
import { sources } from '#sources/sources.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import type { Reply } from '#test/setup/test-app.ts';

/** The page of sources: silent monitors, snippets for them, and connection tests. */

const HOUR = 3_600_000;
const running = () => false;
const app = appOfTests({ FAULTLINE_PUBLIC_URL: 'https://faultline.example' });

let tenants = 0;
const open = async () => {
  const token = await app.tenant(`sources-${++tenants}`);
  const send = (method: string, path: string, body?: unknown, as = token): Promise<Reply> =>
    app.send(method, path, body, { token: as });
  const list = async () => (await send('GET', '/api/admin/sources')).body.data as Record<string, unknown>[];
  const of = async (name: string) => (await list()).find((one) => one.name === name);
  const event = (n: number, more: object = {}) => ({
    source: 'nightly',
    sourceId: `${n}`,
    severity: 'info',
    title: `Backup "b${n}" is late`,
    hostname: 'h',
    ...more,
  });
  return { token, send, list, of, event };
};
const at = () => new Date(app.clock.now()).toISOString();
const zabbix = (id: string) => ({
  event_id: id,
  trigger_id: id,
  trigger_name: 'Disk full',
  hostname: 'db-1',
  severity: '3',
  event_value: '1',
  timestamp: String(Math.floor(app.clock.now() / 1_000)),
});

describe('The list of sources', () => {
  test('has all that are known before anything was heard', async () => {
    const { list } = await open();
    const all = await list();
    expect(all.map(({ name }) => name).sort()).toEqual(sources.map(({ name }) => name).sort());
    expect(all[0]).toMatchObject({ lastEventAt: null, events24h: 0, rejected24h: 0, tokens: [], isMonitor: true });
    const paths = all.map(({ name, path }) => path === `/api/events/webhook/${name}`);
    expect(paths).not.toContain(false);
  });

  test('counts what came, repeats and recoveries too, what was refused, and by which token', async () => {
    const { send, of, list, event } = await open();
    const made = (await send('POST', '/api/admin/tokens', { name: 'fra1', scopes: ['events.webhook'] })).body.data;
    const hook = (body: unknown) => send('POST', '/api/events/webhook/zabbix', body, made.token);
    await hook([zabbix('1'), zabbix('2')]);
    await hook({ ...zabbix('1'), event_value: '0' });
    await hook({ nonsense: true });
    expect(await of('zabbix')).toEqual({
      name: 'zabbix',
      title: expect.any(String),
      path: '/api/events/webhook/zabbix',
      isMonitor: true,
      isMapped: false,
      lastEventAt: at(),
      events24h: 3,
      rejected24h: 1,
      tokens: [{ id: made.id, name: 'fra1', lastUsedAt: at() }],
    });
    await send('POST', '/api/events/bulk-ingest', { events: [event(1), event(2)] });
    expect(await of('nightly')).toMatchObject({ isMonitor: false, path: '/api/events/ingest', events24h: 2 });
    expect((await list())[0]).toMatchObject({ lastEventAt: at() });
    expect(await of('gcp')).toMatchObject({ events24h: 0, tokens: [] });
  });

  test('names the bootstrap token, a record of the first tenant, also in another tenant', async () => {
    const { of } = await open();
    const headers = { 'x-tenant-id': `sources-${tenants}` };
    await app.send('POST', '/api/events/webhook/zabbix', zabbix('1'), { headers });
    expect(await of('zabbix')).toMatchObject({ tokens: [{ id: 'bootstrap', name: 'Bootstrap token' }] });
  });

  test('forgets what is older than a day, and not when it was heard last', async () => {
    const { send, of, event } = await open();
    await send('POST', '/api/events/ingest', event(1));
    const first = at();
    await storeSourceCounts(app.app.ports, running);
    app.clock.advance(HOUR);
    await send('POST', '/api/events/ingest', event(2));
    const last = at();
    expect(await of('nightly')).toMatchObject({ events24h: 2, lastEventAt: last });
    app.clock.advance(24 * HOUR);
    expect(await of('nightly')).toMatchObject({ events24h: 1, lastEventAt: last });
    await storeSourceCounts(app.app.ports, running);
    app.clock.advance(30 * HOUR);
    await storeSourceCounts(app.app.ports, running);
    expect(await of('nightly')).toMatchObject({ events24h: 0, lastEventAt: last });
    expect(last > first).toBe(true);
  });

  test('is the same after another process has started, and adds up over processes', async () => {
    const { send, of, event } = await open();
    await send('POST', '/api/events/ingest', event(1));
    await storeSourceCounts(app.app.ports, running);
    await storeSourceCounts(app.app.ports, running);
    const { SourceCounts } = await import('#domain/event/source-counts.ts');
    const { readSourceCounts } = await import('#application/events/sources/stored-counts.ts');
    const tenant = `sources-${tenants}`;
    const other = { ...app.app.ports, memory: { ...app.app.ports.memory, sources: new SourceCounts() } };
    expect((await readSourceCounts(other, tenant)).get('nightly')?.events).toBe(1);
    other.memory.sources.note(tenant, 'nightly', app.clock.now(), { events: 5 });
    expect((await readSourceCounts(other, tenant)).get('nightly')?.events).toBe(6);
    await storeSourceCounts(other, running);
    expect((await readSourceCounts(other, tenant)).get('nightly')?.events).toBe(6);
    expect(await of('nightly')).toMatchObject({ events24h: 6 });
  });
});

describe('The page of one source', () => {
  test.each(sources.map((source) => [source.name, source] as const))(
    '%s: what to paste is what the documents say',
    async (name, source) => {
      const { send } = await open();
      const { data } = (await send('GET', `/api/admin/sources/${name}`)).body;
      expect(data.address).toBe(`https://faultline.example/api/events/webhook/${name}`);
      expect(data).toMatchObject({
        name,
        tokenPlace: TOKEN_PLACE,
        ...setupOf(source, { address: data.address, base: 'https://faultline.example', now: app.clock.now() }),
      });
      const documents = readFileSync('docs/sources.md', 'utf8').replaceAll('$FEED', TOKEN_PLACE);
      const texts = data.snippets
        .map(({ text }: { text: string }) => text)
        .filter((text: string) => text.includes('\n'));
      // The media type of Zabbix is a file.
      if (name !== 'zabbix') for (const text of texts) expect(documents).toContain(text);
      expect(JSON.stringify(data.snippets)).toContain(TOKEN_PLACE);
    },
  );

  test.each(sources.map(({ name }) => [name]))('%s: what is pasted in a shell arrives as it stands', async (name) => {
    const { send, of } = await open();
    const made = (await send('POST', '/api/admin/tokens', { name: 'shell', scopes: ['events.webhook'] })).body.data;
    const { data } = (await send('GET', `/api/admin/sources/${name}`)).body;
    const shell = data.snippets.at(-1).text as string;
    const body = /-d '(\{[^']*\})'$/.exec(shell)?.[1];
    // SNS signs messages of CloudWatch, so none is sent manually.
    if (name === 'cloudwatch') return expect(body).toBeUndefined();
    const { status } = await send('POST', `/api/events/webhook/${name}`, JSON.parse(body!), made.token);
    expect(status).toBe(name === 'pagerduty' ? 202 : 200);
    expect(await of(name)).toMatchObject({ events24h: 1, rejected24h: 0 });
  });

  test('by any name of it, a sender of plain ingest too; nobody else', async () => {
    const { send, event } = await open();
    expect((await send('GET', '/api/admin/sources/Icinga2')).body.data.name).toBe('nagios');
    expect((await send('GET', '/api/admin/sources/nightly')).status).toBe(404);
    await send('POST', '/api/events/ingest', event(1));
    const { data } = (await send('GET', '/api/admin/sources/nightly')).body;
    expect(data.snippets[0].text).toContain('https://faultline.example/api/events/ingest');
    expect(data.snippets[0].text).toContain('"source":"nightly"');
  });

  test('is for those who manage tokens', async () => {
    const viewer = await app.tenant(`sources-${++tenants}`, 'editor');
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/gcp'],
      ['POST', '/gcp/test'],
    ] as const)
      expect((await app.send(method, `/api/admin/sources${path}`, undefined, { token: viewer })).status).toBe(403);
  });
});

describe('A test', () => {
  test.each(sources.map(({ name }) => [name]))(
    'of %s becomes an event that says so and ends by itself',
    async (name) => {
      const { send, of } = await open();
      const reply = await send('POST', `/api/admin/sources/${name}/test`);
      expect(reply.status).toBe(200);
      const { eventId, resolvesAt } = reply.body.data;
      const shown = async () => (await send('GET', `/api/events/${eventId}`)).body.event;
      expect(await shown()).toMatchObject({
        source: name,
        status: 'open',
        title: expect.stringContaining('Test of Faultline'),
        tags: expect.arrayContaining(['test']),
      });
      expect(await of(name)).toMatchObject({ events24h: 1, lastEventAt: at() });
      const again = await send('POST', `/api/admin/sources/${name}/test`);
      expect(again.body.data.eventId).not.toBe(eventId);
      await endTests(app.app.ports, running);
      expect((await shown()).status).toBe('open');
      app.clock.advance(Date.parse(resolvesAt) - app.clock.now());
      await endTests(app.app.ports, running);
      await app.app.idle();
      expect(await shown()).toMatchObject({ status: 'resolved', resolutionNotes: 'test events resolve automatically' });
    },
  );

  test('of nobody is none', async () => {
    const { send } = await open();
    expect((await send('POST', '/api/admin/sources/nightly/test')).status).toBe(404);
  });
});
