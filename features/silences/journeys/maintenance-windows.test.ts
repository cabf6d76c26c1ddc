import { describe, expect, test } from '@jest/globals';
import { STYLES, speaking } from '#test/journeys/cmdb-styles.ts';
import { appOfTests } from '#test/setup/of-tests.ts';

const app = appOfTests();

const FIELD = 'custom_fields.maintenance_window';
const wrong = { maintenance_window: 'sundays 02:00-04:00' };
const good = { maintenance_window: '2026-11-28T22:00:00Z/PT2H' };
const ndjson = { 'content-type': 'application/x-ndjson' };

describe.each(STYLES)('A maintenance window that means nothing, under %s', (_, style) => {
  test('is refused where a CI is made, changed and imported; what was there before stays', async () => {
    const { send, ci } = await speaking(app, style);
    const id = await ci('a', { custom_fields: good });
    for (const [method, path, body] of [
      ['POST', '/cmdb/ci', { name: 'b', type: 'server', custom_fields: wrong }],
      ['POST', '/cmdb/ci?upsert=true', { name: 'a', type: 'server', custom_fields: wrong }],
      ['PUT', `/cmdb/ci/${id}`, { custom_fields: wrong }],
    ] as const) {
      const refused = await send(method, path, body);
      expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining(`"${FIELD}"`)]);
    }
    const bulk = { ids: [id], action: 'update', set: { custom_fields: wrong } };
    const rows = [
      (await send('POST', '/cmdb/ci/bulk', bulk)).data.rows[0],
      (
        await send(
          'POST',
          '/cmdb/import/ci',
          JSON.stringify({ name: 'a', type: 'server', custom_fields: wrong }),
          ndjson,
        )
      ).data.rows[0],
      (
        await send(
          'POST',
          '/cmdb/import/ci',
          JSON.stringify({ name: 'c', type: 'server', custom_fields: wrong }),
          ndjson,
        )
      ).data.rows[0],
    ];
    for (const row of rows) expect(row).toMatchObject({ action: 'failed', error: expect.stringContaining(FIELD) });
    expect((await send('GET', `/cmdb/ci/${id}`)).data.custom_fields ?? good).toEqual(good);
    expect((await send('PUT', `/cmdb/ci/${id}`, { custom_fields: { maintenance_window: null } })).status).toBe(200);
  });
});
