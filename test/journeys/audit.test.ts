import { describe, expect, test } from '@jest/globals';
import { testWith } from '#test/setup/is-there.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { endpoints } from '#whole';
import { STYLES } from './cmdb-styles.ts';
import { scanning } from './discovery-styles.ts';
import { CHANGES, changesOf } from './platform-changes.ts';

const app = appOfTests();

/**
 * Ids of other surfaces: events and silences, dead letters, sinks, the clock and tenants have journeys of their own; sessions and
 * answers change nothing; runs of polled sources need a server that answers; console settings belong to one user; tools call the endpoints themselves.
 */
const ELSEWHERE =
  /^(events|alertmanager|pagerduty|opsgenie|auth|insights|changes|ai|chat|infrastructure-analysis|admin\.(dead-letters|tenants|sinks|clock|demo|settings\.sign-in)|inbox)\.|^(admin\.sources\.mapping\.try|ai-relationships\.analyze|reports\.ask|agents\.query|me\.(settings|mail)\.put|cmdb\.(ci-states|get-impact-of-many|sources\.run|sources\.confirm)|analyzer\.(enrich|discover|classify|insights)|webhooks\.reply|mcp)$/;

test('the table has everything that changes something', () => {
  const changing = endpoints.filter(({ mounts }) => mounts.some(({ method }) => method !== 'get'));
  const ids = changing.map(({ id }) => id).filter((id) => !ELSEWHERE.test(id));
  expect(ids.sort()).toEqual(CHANGES.map(({ endpoint }) => endpoint).sort());
});

/** Existence of the record before and after. */
const SIDES: Readonly<Record<string, readonly [before: boolean, after: boolean]>> = {
  created: [false, true],
  imported: [false, true],
  submitted: [false, true],
  run: [false, true],
  updated: [true, true],
  invited: [false, true],
  reinvited: [false, true],
  rotated: [true, true],
  tested: [false, true],
  tried: [false, true],
  resumed: [false, true],
  redelivered: [false, true],
  resolved: [true, true],
  accepted: [true, true],
  judged: [false, true],
  merged: [true, true],
  deleted: [true, false],
  revoked: [true, false],
};

describe.each(STYLES)('The audit trail of what was asked under %s', (prefix, style) => {
  test.each(changesOf(prefix))('%s: who, what, from where, before and after', async (_, change) => {
    const tenant = await scanning(app, style);
    const trail = async () => (await tenant.send('GET', `/api/admin/audit?action=${change.action}`)).data;
    const of = (await change.furnish?.(tenant)) ?? '';
    const earlier = (await trail()).length;
    app.clock.advance(1_000);
    const reply = await change.ask(tenant, { 'x-department': 'network' }, of, 0);
    expect(reply.status).toBeLessThan(300);
    const entries = await trail();
    expect(entries).toHaveLength(earlier + 1);
    const [hasBefore, hasAfter] = SIDES[change.action.split('.').at(-1)!]!;
    expect(entries[0]).toEqual({
      id: expect.any(String),
      action: change.action,
      at: new Date(app.clock.now()).toISOString(),
      actor: expect.objectContaining({ name: 'test' }),
      address: '127.0.0.1',
      department: 'network',
      target: { kind: expect.stringMatching(/./), id: expect.stringMatching(/./) },
      before: hasBefore ? expect.any(Object) : null,
      after: hasAfter ? expect.any(Object) : null,
    });
    expect(entries[0].after).not.toEqual(entries[0].before);
    expect(JSON.stringify(entries)).not.toMatch(/argon2|"hash"|"token":"f/);
    const { kind, id } = entries[0].target;
    const found = (await tenant.send('GET', `/api/admin/audit?target=${kind}/${id}&limit=1`)).data;
    expect(found).toEqual([entries[0]]);
    await app.app.idle();
  });

  test('a request that is refused leaves nothing', async () => {
    const { send, ci } = await scanning(app, style);
    const id = await ci('a', { external_key: 'k' });
    const before = (await send('GET', '/api/admin/audit')).data;
    await send('POST', '/cmdb/ci', { name: 'b', type: 'server', external_key: 'k' });
    await send('PUT', `/cmdb/ci/${id}`, { name: 'b' }, { 'if-match': '"9"' });
    await send('PUT', `/cmdb/ci/${id}`, { name: 'a' });
    await send('DELETE', '/services/nobody');
    expect((await send('GET', '/api/admin/audit')).data).toEqual(before);
  });
});

describe.each(STYLES)('What an import does to each record under %s', (_, style) => {
  const open = async () => {
    const tenant = await scanning(app, style);
    const take = (kind: string, body: string, type = 'text/csv') =>
      tenant.send('POST', `/cmdb/import/${kind}`, body, { 'content-type': type, 'x-department': 'it' });
    const trail = async (query: string) => (await tenant.send('GET', `/api/admin/audit?${query}`)).data;
    return { ...tenant, take, trail };
  };

  testWith('cmdb.import-ci')('is in the trail with what it was before and after', async () => {
    const { take, trail, ci } = await open();
    const id = await ci('a', { attributes: { os: 'old', rack: 'r1' } });
    const file = 'name,type,description,attributes.os,custom_fields.owner\na,server,,new,dba\nb,server,Second,,\n';
    const { rows } = (await take('ci', file)).data;
    expect(await trail(`target=ci/${id}&action=ci.updated`)).toMatchObject([
      {
        department: 'it',
        actor: { name: 'test' },
        before: { attributes: { os: 'old' } },
        after: {
          attributes: { os: 'new' },
          custom_fields: { owner: 'dba' },
          updated_by: expect.stringMatching(/^import:/),
        },
      },
    ]);
    const [created] = await trail(`target=ci/${rows[1].id}`);
    expect([created.action, created.before]).toEqual(['ci.created', null]);
    expect(created.after).toMatchObject({ name: 'b', type: 'server', status: 'active', description: 'Second' });
    expect(created.after).not.toHaveProperty('attributes');

    await take('relationships', 'type,source_ci,target_ci\nuses,a,b\n');
    await take('relationships', 'type,source_ci,target_ci,confidence\nuses,a,b,0.5\n');
    expect(await trail('target=relationship')).toMatchObject([
      { action: 'relationship.updated', before: { confidence: 1 }, after: { confidence: 0.5 } },
      { action: 'relationship.created', before: null, after: { type: 'uses', source_ci: id, target_ci: rows[1].id } },
    ]);
    const before = await trail('limit=200');
    await take('ci', file);
    const [again, ...rest] = await trail('limit=200');
    expect([again.after.unchanged, rest]).toEqual([2, before]);
  });

  testWith('cmdb.import-ci')('is there also when the import is broken off in the middle', async () => {
    const { take, trail, send } = await open();
    const rows = Array.from({ length: 600 }, (_, n) => JSON.stringify({ name: `n-${n}`, type: 'server' }));
    const file = [...rows, `{"name":"${'x'.repeat(2 ** 20)}"}`].join('\n');
    expect((await take('ci', file, 'application/x-ndjson')).status).toBe(400);
    const { total } = (await send('GET', '/cmdb/ci?limit=1')).body.pagination;
    expect(total).toBe(500);
    expect(await trail('action=cmdb.imported')).toMatchObject([
      { after: { created: 500, total: 500, interrupted: true } },
    ]);
    expect(await trail('action=ci.created&limit=200')).toHaveLength(200);
  });
});

test('a tenant that is made and changed is in the trail of who did it', async () => {
  await app.send('POST', '/api/admin/tenants', { id: 'audited' });
  await app.send('PUT', '/api/admin/tenants/audited', { name: 'Audited' });
  const { data } = (await app.send('GET', '/api/admin/audit?target=tenant/audited')).body;
  expect(data).toMatchObject([
    { action: 'tenant.updated', before: { name: 'audited' }, after: { name: 'Audited' } },
    { action: 'tenant.created', before: null, after: { id: 'audited', name: 'audited', disabled: false } },
  ]);
});
