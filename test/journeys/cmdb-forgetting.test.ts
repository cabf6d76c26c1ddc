import { describe, expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import { STYLES, speaking } from './cmdb-styles.ts';

const DAY = 86_400_000;
const app = appOfTests({ FAULTLINE_HISTORY_DAYS: '10' });

describe.each(STYLES)('What lies further back than the history that is kept, under %s', (_, style) => {
  test('is told apart from what was not there, and what is there now stays', async () => {
    const { send, ci, join } = await speaking(app, style);
    const began = app.clock.now();
    app.clock.advance(1_000);
    const [a, b] = [await ci('a'), await ci('b')];
    const edge = await join(a, b);
    const made = app.clock.now();
    app.clock.advance(DAY);
    await send('PUT', `/cmdb/ci/${a}`, { name: 'renamed' });
    const paths = [
      `/cmdb/ci/${a}?`,
      `/cmdb/ci/${a}/neighbourhood?`,
      `/cmdb/ci/${b}/impact?`,
      `/cmdb/path?from=${a}&to=${b}&`,
      `/cmdb/relationships/${edge}?`,
    ];
    const statuses = (at: number) =>
      Promise.all(paths.map(async (path) => (await send('GET', `${path}as_of=${at}`)).status));
    expect(await statuses(made)).toEqual([200, 200, 200, 200, 200]);

    app.clock.advance(10 * DAY);
    expect(await statuses(made)).toEqual([422, 422, 422, 422, 422]);
    expect(await statuses(began)).toEqual([404, 404, 404, 404, 404]);
    expect(JSON.stringify((await send('GET', `${paths[0]}as_of=${made}`)).body)).toContain('as_of');
    expect(await statuses(app.clock.now() - 10 * DAY)).toEqual([200, 200, 200, 200, 200]);

    await app.app.ports.history.forget(app.clock.now() - 10 * DAY + 1);
    const history = (await send('GET', `/cmdb/ci/${a}/history`)).body;
    expect(history.data).toEqual([expect.objectContaining({ revision: 2, action: 'updated', changes: [] })]);
    expect((await send('GET', `/cmdb/ci/${a}`)).data).toMatchObject({ name: 'renamed', relationships: [{ id: edge }] });
  });
});

test('the audit trail goes as far back', async () => {
  const { send, ci } = await speaking(app, STYLES[0]![1]);
  const actions = async () =>
    (await send('GET', '/api/admin/audit')).body.data.map(({ action }: { action: string }) => action);
  await ci('a');
  app.clock.advance(9 * DAY);
  await ci('b');
  expect(await actions()).toEqual(['ci.created', 'ci.created', 'token.created']);
  app.clock.advance(DAY);
  expect(await actions()).toEqual(['ci.created']);
});
