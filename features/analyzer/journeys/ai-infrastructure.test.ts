import { describe, expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import { readStream } from '#test/setup/read-stream.ts';

/* A CMDB becomes business services, in the background, while people look on. */

const app = appOfTests();

const PATH = '/api/business-service-analyzer/infrastructure-analysis';
const streamOf = (session: string): string =>
  `/sse/business-service-analyzer/infrastructure-analysis/progress/${session}`;
let serial = 0;

/** Two services that share a database server, on one hypervisor. */
async function estate() {
  const id = `infra-${++serial}`;
  const token = await app.tenant(id);
  const send = async (method: string, path: string, body?: unknown, headers = {}) =>
    app.send(method, path, body, { token, headers });
  const ci = async (name: string, type = 'server') => (await send('POST', '/v1/cmdb/ci', { name, type })).body.id;
  const join = (source_ci: string, target_ci: string, type: string, port?: number) =>
    send('POST', '/v1/cmdb/relationships', { source_ci, target_ci, type, ...(port && { attributes: { port } }) });
  const host = await ci('esx-01', 'hypervisor');
  const services: Record<string, string[]> = {};
  for (const name of ['billing', 'payroll']) {
    const web = [await ci(`${name}-web-01`), await ci(`${name}-web-02`)];
    const apps = [await ci(`${name}-app-01`), await ci(`${name}-app-02`)];
    const db = await ci(`${name}-db-01`, 'database');
    for (const front of web) for (const back of apps) await join(front, back, 'depends_on', 8080);
    for (const back of apps) await join(back, db, 'database_connection', 5432);
    for (const one of [...web, ...apps, db]) await join(one, host, 'runs_on');
    services[name] = [...web, ...apps, db];
  }
  await join(services.billing![2]!, services.payroll![0]!, 'network_connection', 443);
  return { id, token, send, services, host };
}
type Estate = Awaited<ReturnType<typeof estate>>;

const analysed = async ({ send }: Pick<Estate, 'send'>, body: object = {}) => {
  const started = await send('POST', PATH, body);
  await app.app.idle();
  return started.body as { sessionId: string; streamUrl: string };
};

describe('An infrastructure analysis', () => {
  test('finds the services, says what each CI does in them, and what that stands on', async () => {
    const own = await estate();
    const { send, services, host } = own;
    const started = await send('POST', PATH, { tenantId: own.id, sessionId: 'nightly-1' });
    expect(started.status).toBe(202);
    expect(started.body).toMatchObject({ success: true, sessionId: 'nightly-1', message: expect.any(String) });
    expect(started.headers.get('location')).toBe(`${PATH}/nightly-1`);
    await app.app.idle();
    const { status, body } = await send('GET', `${PATH}/nightly-1`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'completed',
      error: null,
      progress: null,
      generatedBy: 'rules',
      abstained: false,
      degraded: null,
      statistics: { cis: 11, relationships: 23, hubs: 1, services: 2, unassigned: 1, truncated: false },
      pagination: { total: 2, page: 1 },
    });
    const [billing] = body.services.filter(({ name }: { name: string }) => name === 'Billing');
    expect(billing).toMatchObject({ category: 'web application', size: 5, truncated: false, environment: null });
    expect(billing.members.map(({ ciId }: { ciId: string }) => ciId).sort()).toEqual(services.billing!.toSorted());
    expect(billing.tiers).toEqual({ frontend: 2, application: 2, data: 1, infrastructure: 0 });
    expect(billing.entryPoints.sort()).toEqual(services.billing!.slice(0, 2).sort());
    expect(billing.confidence).toBeGreaterThan(0.7);
    expect(JSON.stringify(body.services)).not.toContain(host);
    const cited = new Map(body.citations.map((one: { ref: string; href: string }) => [one.ref, one.href]));
    for (const { refs } of [...body.claims, ...body.services.flatMap((one: { evidence: [] }) => one.evidence)])
      for (const ref of refs) expect((await send('GET', cited.get(ref) as string)).status).toBe(200);
    expect(billing.evidence.map(({ text }: { text: string }) => text)).toEqual(
      expect.arrayContaining(['5 of 5 names contain “billing”.', 'Stores data: billing-db-01.']),
    );
  });

  test('of a CMDB without connections names no service, and says so', async () => {
    const id = `bare-${++serial}`;
    const token = await app.tenant(id);
    const send = (method: string, path: string, body?: unknown) => app.send(method, path, body, { token });
    await send('POST', '/v1/cmdb/ci', { name: 'alone-1', type: 'server' });
    const { sessionId } = await analysed({ send });
    const { body } = await send('GET', `${PATH}/${sessionId}`);
    expect(body).toMatchObject({ status: 'completed', abstained: true, services: [] });
    expect(body.claims).toMatchObject([{ text: 'No services found in 1 CI.', refs: ['Q1'] }]);
    expect(body.citations).toMatchObject([{ ref: 'Q1', kind: 'query', href: `${PATH}/${sessionId}` }]);
    expect(body.statistics).toMatchObject({ cis: 1, unassigned: 1, services: 0 });
  });

  test('answers a running session again, and refuses a finished one and a second one', async () => {
    const { send } = await estate();
    const [first, same, other] = await Promise.all([
      send('POST', PATH, { sessionId: 'session-1' }),
      send('POST', PATH, { sessionId: 'session-1' }),
      send('POST', PATH, { sessionId: 'session-2' }),
    ]);
    // Any of them may be the first.
    const [taken, refused] = first.status === 202 ? ['session-1', 'session-2'] : ['session-2', 'session-1'];
    const [yes, no] = taken === 'session-1' ? [[first, same], [other]] : [[other], [first, same]];
    expect([...yes, ...no].map(({ status }) => status)).toEqual([...yes.map(() => 202), ...no.map(() => 409)]);
    for (const { body } of yes) expect(body.sessionId).toBe(taken);
    for (const { body } of no) expect(body.error.details).toMatchObject({ sessionId: taken });
    await app.app.idle();
    const again = await send('POST', PATH, { sessionId: taken });
    expect([again.status, again.body.error.code]).toEqual([409, 'INVALID_REQUEST']);
    expect((await send('POST', PATH, { sessionId: refused })).status).toBe(202);
    await app.app.idle();
  });

  test.each([
    [{ tenantId: 'somebody-else' }, 403, 'TENANT_NOT_FOUND'],
    [{ sessionId: 'short' }, 400, 'INVALID_REQUEST'],
    [{ sessionId: 'no blanks in it' }, 400, 'INVALID_REQUEST'],
    [{ session: 'x' }, 400, 'INVALID_REQUEST'],
  ])('asked for with %j is refused', async (body, status, code) => {
    const { send } = await estate();
    const reply = await send('POST', PATH, body);
    expect([reply.status, reply.body.error.code]).toEqual([status, code]);
  });
});

describe('Its progress', () => {
  test('is told from its start to its end, with a link that needs no credential', async () => {
    const own = await estate();
    const { streamUrl } = await analysed(own, { sessionId: 'followed-1' });
    const { status, headers, events, ended, text } = await readStream(app.url + streamUrl);
    expect([status, ended]).toEqual([200, true]);
    expect(headers.get('content-type')).toBe('text/event-stream');
    expect([headers.get('cache-control'), headers.get('x-accel-buffering')]).toEqual(['no-store', 'no']);
    expect(text).toMatch(/^retry: 3000\n\n/);
    expect(events[0]).toMatchObject({ id: null, data: { type: 'connected' } });
    const told = events.slice(1);
    expect(told.map(({ id }) => id)).toEqual(told.map((_, i) => i + 1));
    const steps = [...new Set(told.flatMap(({ data }) => data.step ?? []))];
    expect(steps).toEqual(['load', 'hubs', 'split', 'classify', 'name', 'score']);
    expect(told.find(({ data }) => data.step === 'name')!.data).toMatchObject({
      type: 'progress',
      serviceName: expect.any(String),
      category: 'web application',
      message: expect.any(String),
      current: expect.any(Number),
      total: 2,
    });
    expect(told.at(-1)!.data).toEqual({
      type: 'complete',
      totalServices: 2,
      discoveredAt: new Date(app.clock.now()).toISOString(),
    });
  });

  test('goes on after the last event that was seen; when all was seen there is nothing to tell', async () => {
    const own = await estate();
    const { streamUrl } = await analysed(own);
    const all = (await readStream(app.url + streamUrl)).events;
    const last = all.at(-1)!.id!;
    for (const seen of [1, 3, last - 1]) {
      const { events } = await readStream(app.url + streamUrl, { headers: { 'last-event-id': String(seen) } });
      expect(events.slice(1)).toEqual(all.filter(({ id }) => id !== null && id > seen));
    }
    for (const seen of [last, last + 7]) {
      const done = await readStream(app.url + streamUrl, { headers: { 'last-event-id': String(seen) } });
      expect([done.status, done.text]).toEqual([204, '']);
    }
    expect((await readStream(app.url + streamUrl, { headers: { 'last-event-id': 'x' } })).status).toBe(400);
  });

  test('is heard with a token too, and by nobody else', async () => {
    const [own, other] = [await estate(), await estate()];
    const { sessionId, streamUrl } = await analysed(own);
    const at = async (url: string, token?: string) =>
      (await readStream(app.url + url, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } }))
        .status;
    expect(await at(streamOf(sessionId), own.token)).toBe(200);
    expect(await at(streamOf(sessionId), other.token)).toBe(404);
    expect(await at(streamOf(sessionId))).toBe(401);
    expect(await at(`${streamUrl}x`)).toBe(401);
    // The link opens its own session alone.
    expect(await at(streamUrl.replace(sessionId, 'another-session'))).toBe(401);
    app.clock.advance(3_600_001);
    expect(await at(streamUrl)).toBe(401);
  });
});
