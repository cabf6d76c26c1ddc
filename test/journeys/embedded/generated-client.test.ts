import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testWith } from '#test/setup/is-there.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { TOKEN } from '#test/setup/test-app.ts';

const run = promisify(execFile);
const GENERATOR = fileURLToPath(new URL('../../../tools/package/generate-client.ts', import.meta.url));

/** Results of a generated client for each call. */
// biome-ignore lint/suspicious/noExplicitAny: the types are generated while the test runs.
type Called = Promise<{ readonly data?: any; readonly error?: any; readonly response: Response }>;
type Sdk = Readonly<Record<string, (options: object) => Called>>;

const app = appOfTests();
let folder: string;
let sdk: Sdk;
let operations: number;
beforeAll(async () => {
  const { body: document } = await app.send('GET', '/openapi.json');
  operations = Object.values(document.paths as object).flatMap((path) => Object.keys(path)).length;
  folder = await mkdtemp(join(tmpdir(), 'faultline-client-'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
  const places = [join(folder, 'openapi.json'), join(folder, 'client'), '.ts'];
  await run(process.execPath, [GENERATOR, ...places], { timeout: 60_000 });
  sdk = (await import(join(folder, 'client', 'sdk.gen.ts'))) as Sdk;
  const { client } = (await import(join(folder, 'client', 'client.gen.ts'))) as {
    client: { setConfig: (config: object) => void };
  };
  client.setConfig({ baseUrl: app.url, auth: () => TOKEN });
}, 90_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a generator makes a function of every operation', () => {
  expect(Object.values(sdk).filter((one) => typeof one === 'function')).toHaveLength(operations);
});

testWith('cmdb.import-ci')(
  'a generated client imports hosts, sends an alert, finds its CI and its event, and reads an error',
  async () => {
    const imported = await sdk.v1CmdbImportCi!({ body: 'name,type\nsw-1,network\n', query: { format: 'csv' } });
    expect([imported.error, imported.data]).toEqual([undefined, expect.objectContaining({ created: 1 })]);

    const alert = {
      status: 'firing',
      labels: { alertname: 'SwitchDown', instance: 'sw-1:9100', severity: 'critical' },
      annotations: { summary: 'Switch is down' },
      startsAt: new Date(app.clock.now()).toISOString(),
    };
    const sent = await sdk.eventsEventsWebhook!({
      path: { source: 'prometheus' },
      body: { version: '4', alerts: [alert] },
    });
    expect([sent.error, sent.data]).toEqual([undefined, expect.objectContaining({ received: 1, rejected: [] })]);

    const found = await sdk.eventsEventsGet!({ path: { eventId: sent.data.results[0].eventId } });
    expect(found.data.event).toMatchObject({ title: 'Switch is down', ciId: { name: 'sw-1' } });

    const cis = await sdk.platformCmdbListCis!({ query: { type: 'network' } });
    expect(cis.data.data).toMatchObject([{ name: 'sw-1', custom_fields: {} }]);

    const refused = await sdk.eventsEventsIngest!({
      body: { source: 'x', sourceId: '1', severity: 'awful', title: 't' },
    });
    expect([refused.response.status, refused.error.details[0].field]).toEqual([400, 'severity']);
  },
);
