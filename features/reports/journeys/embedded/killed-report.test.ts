import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { type Launched, launch } from '#test/faults/launch.ts';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { seededBytes } from '#test/setup/set-clock.ts';

/* Reports whose process is killed are made by the next one, whole, each once. */

const TOKEN = 'token-of-the-killed-reports';
const CIS = 3_000;
const FORMATS = ['pdf', 'json', 'csv', 'html', 'pdf', 'json'];
/** Fewer than the turns that a report has. */
const KILLS = 2;
const headers = { authorization: `Bearer ${TOKEN}` };

async function ask(
  { url }: Launched,
  method: string,
  path: string,
  body?: string,
  type = 'application/json',
  // biome-ignore lint/suspicious/noExplicitAny: replies of several shapes.
): Promise<any> {
  const init = { method, headers: { ...headers, 'content-type': type }, body: body ?? null };
  const response = await fetch(url + path, init);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

const statusOf = (server: Launched, id: string) => ask(server, 'GET', `/v1/reports/${id}/status`);

const finished = async (server: Launched, id: string) => {
  for (;;) {
    const report = await statusOf(server, id);
    if (report.status !== 'generating') return report;
    await sleep(50);
  }
};

/** Whether a file is there from its first byte to its last. */
const isWhole: Readonly<Record<string, (text: string) => boolean>> = {
  pdf: (text) => text.startsWith('%PDF-') && text.trimEnd().endsWith('%%EOF'),
  json: (text) => JSON.parse(text).details.rows.length === CIS,
  csv: (text) => text.trim().split('\r\n').length === CIS + 1,
  html: (text) => text.trimEnd().endsWith('</html>') && text.includes(`cm-${CIS - 1}`),
};

test('killed twice at random, six reports come out whole', async () => {
  const directory = temporaryDirectory();
  const env = {
    PORT: '0',
    FAULTLINE_DATA: directory.path,
    FAULTLINE_BOOTSTRAP_TOKEN: TOKEN,
    FAULTLINE_LIMIT_SCALE: '0',
    FAULTLINE_ADMIN_PASSWORD: 'a password for this run',
    FAULTLINE_LOG_LEVEL: 'warn',
  };
  const random = seededBytes(5);
  let server = await launch(env);
  try {
    const lines = Array.from({ length: CIS }, (_, n) => `cm-${n},server`);
    await ask(server, 'POST', '/v1/cmdb/import/ci', `name,type\n${lines.join('\n')}\n`, 'text/csv');
    const ids: string[] = [];
    for (const format of FORMATS)
      ids.push(
        (await ask(server, 'POST', '/v1/reports/generate', JSON.stringify({ template_id: 'ci-inventory', format })))
          .report_id,
      );
    let interrupted = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(random());
      server.process.kill('SIGKILL');
      await server.exited;
      server = await launch(env);
      for (const id of ids) if ((await statusOf(server, id)).status === 'generating') interrupted += 1;
    }
    expect(interrupted).toBeGreaterThan(0);
    for (const [n, id] of ids.entries()) {
      const report = await finished(server, id);
      expect([report.format, report.status, report.error]).toEqual([FORMATS[n], 'completed', null]);
      const file = Buffer.from(await (await fetch(server.url + report.download_url)).arrayBuffer());
      expect([file.length, isWhole[report.format]!(file.toString('latin1'))]).toEqual([report.size_bytes, true]);
    }
    server.process.kill('SIGTERM');
    expect(await server.exited).toBe(0);
  } finally {
    server.process.kill('SIGKILL');
    directory.remove();
  }
}, 120_000);
