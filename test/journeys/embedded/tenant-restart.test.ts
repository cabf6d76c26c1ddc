import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { emptyTenants, LET_GO_MS } from '#application/tenants/empty-tenants.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { openTestApp, START, type TestApp } from '#test/setup/test-app.ts';

/* A tenant that is deleted in steps, with a start between any two of them. */

const DAY = 86_400_000;
const directory = temporaryDirectory();
let app: TestApp;
let now = START;

const restart = async (): Promise<void> => {
  now = app.clock.now();
  await app.stop();
  app = await openTestApp({ FAULTLINE_DATA: directory.path });
  app.clock.set(now);
};
const round = (ports: Ports = app.app.ports) => emptyTenants({ ports, takenMs: DAY, isStopping: () => false });
const state = async () => (await app.send('GET', '/api/admin/tenants/acme')).body.data.state;
const eventsOf = async (tenant: string) =>
  (await app.app.ports.events.find(tenant, {}, { sort: 'timestamp', order: 'asc', limit: 9 })).total;
const incident = async (token: string): Promise<void> => {
  for (const title of ['Link down', 'Queries blocked', 'Disk full'])
    await app.send(
      'POST',
      '/api/events/ingest',
      { source: 's', sourceId: title, severity: 'major', title, hostname: 'a' },
      { token },
    );
  const made = await Promise.all(
    ['a', 'b'].map((name) => app.send('POST', '/v1/cmdb/ci', { name, type: 'server' }, { token })),
  );
  const [source_ci, target_ci] = made.map(({ body }) => body.id as string);
  await app.send('POST', '/v1/cmdb/relationships', { type: 'depends_on', source_ci, target_ci }, { token });
};

beforeAll(async () => {
  app = await openTestApp({ FAULTLINE_DATA: directory.path });
  for (const id of ['acme', 'other']) await incident(await app.tenant(id));
});
afterAll(async () => {
  await app.stop();
  directory.remove();
});

test('goes on after a start that comes before its data goes', async () => {
  await app.send('DELETE', '/api/admin/tenants/acme');
  app.clock.advance(LET_GO_MS);
  await restart();
  expect([await state(), await eventsOf('acme')]).toEqual(['deleting', 3]);
});

test('goes on after a start in the midst of it, which reads what is left', async () => {
  const { ports } = app.app;
  const halfway: Ports['tenants'] = {
    async purge(tenant) {
      await ports.cis.remove(
        tenant,
        (await ports.topology.findCis(tenant, {}, { sort: 'name', order: 'asc', limit: 1 })).items[0]!.id,
        now,
        { cascade: true },
      );
      throw new Error('killed');
    },
  };
  await expect(round({ ...ports, tenants: halfway })).rejects.toThrow();
  await restart();
  expect(await state()).toBe('deleting');
  await round();
  expect([await state(), await eventsOf('acme'), await app.app.ports.counts.cis('acme')]).toEqual(['deleted', 0, 0]);
});

test('stays deleted after a start, with nothing in the memory of the pipeline, and the others are whole', async () => {
  await restart();
  expect(await state()).toBe('deleted');
  expect([await eventsOf('acme'), await eventsOf('other'), await app.app.ports.counts.cis('other')]).toEqual([0, 3, 2]);
  const { body } = await app.send('GET', '/metrics');
  expect(body).toMatch(/faultline_state_size\{[^}]*open_events[^}]*\} 3\n/);
});

test('a start that names it as the first tenant is refused', async () => {
  await app.stop();
  const opened = openTestApp({ FAULTLINE_DATA: directory.path, FAULTLINE_TENANT: 'acme' }).then((one) => one.stop());
  await expect(opened).rejects.toThrow('FAULTLINE_TENANT=acme was deleted');
  app = await openTestApp({ FAULTLINE_DATA: directory.path });
});
