import { expect, test } from '@jest/globals';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { speaking } from '#test/journeys/cmdb-styles.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { until } from '#test/setup/until.ts';
import { mergeQueued } from './finish-merge.ts';
import { moveEvents } from './move-events.ts';
import { DISCOVERY_KINDS } from './records.ts';

const app = appOfTests();

const STOPPED = () => true;
const GOING = () => false;
const MINUTE = 60_000;

test('a process that died right after a merge leaves nothing undone', async () => {
  const { ports } = app.app;
  const { tenant, send, ci } = await speaking(app, { prefix: '/v1', id: 'id' });
  const [into, from] = [await ci('into'), await ci('from')];
  const service = await send('POST', '/services', {
    name: 'shop',
    criticality: 'high',
    components: [{ ci_id: from, role: 'db' }],
  });
  for (const sourceId of ['a', 'b'])
    await send('POST', '/api/events/ingest', {
      source: 't',
      sourceId,
      severity: 'major',
      title: `Problem of ${sourceId}`,
      hostname: 'from',
    });
  const at = app.clock.now();
  const [stored] = (await ports.topology.getCis(tenant, [into])) as [Ci];
  const asker = { actor: { id: 'me', username: 'me', name: 'me' }, address: '127.0.0.1', department: null };
  await ports.cis.merge(tenant, {
    into: { ...stored, formerly: [from], revision: 2, updatedAt: at },
    from: { id: from, revision: 1 },
    at,
    by: 'me',
    sideRecords: () => [mergeQueued(ports, { tenant, from, into, at, asker })],
  });
  const bound = async () => (await send('GET', `/cmdb/ci/${into}/events`)).body.data;
  const waiting = async () => (await ports.records.list(SYSTEM_TENANT, DISCOVERY_KINDS.merge, { limit: 9 })).length;
  await moveEvents(ports, STOPPED);
  await moveEvents(ports, GOING);
  await until(async () => (await ports.events.find(tenant, { ciId: into }, PAGE)).total === 2);
  expect(await bound()).toHaveLength(2);
  expect([await waiting(), (await ports.events.find(tenant, { ciId: from }, PAGE)).total]).toEqual([1, 0]);
  app.clock.advance(4 * MINUTE);
  await moveEvents(ports, GOING);
  expect(await waiting()).toBe(0);
  const { components } = (await send('GET', `/services/${service.body.id}`)).body;
  expect(components).toMatchObject([{ ci_id: into }]);
});

const PAGE = { sort: 'createdAt', order: 'asc', limit: 10 } as const;
