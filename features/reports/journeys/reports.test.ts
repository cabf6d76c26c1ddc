import { beforeAll, describe, expect, test } from '@jest/globals';
import { reportedTenant } from '#features/reports/journeys/reported.ts';
import { DOCUMENT_FORMATS } from '#features/reports/rules/document/document.ts';
import { TEMPLATE_IDS } from '#features/reports/rules/templates/catalogue.ts';
import { pdfPages } from '#features/reports/stores/pdf-text-for-tests.ts';
import { appOfTests } from '#test/setup/of-tests.ts';

/* Reports from the question what there is to the file, in both styles. */

const HOUR_MS = 3_600_000;
const app = appOfTests();
let tenant: Awaited<ReturnType<typeof reportedTenant>>;
beforeAll(async () => {
  tenant = await reportedTenant(app, 'reported');
}, 60_000);

const speaking = (prefix: '/v1' | '/api', token = tenant.token) => {
  const send = async (method: string, path: string, body?: unknown) => {
    const reply = await app.send(method, prefix + path, body, { token });
    const data = prefix === '/api' && reply.status < 300 ? reply.body.data : reply.body;
    return { ...reply, data };
  };
  const made = async (asked: object) => {
    const started = await send('POST', '/reports/generate', asked);
    expect([started.status, started.body]).toEqual([202, expect.anything()]);
    await app.app.idle();
    return (await send('GET', `/reports/${started.data.report_id}/status`)).data;
  };
  return { send, made };
};
/** Without any credential but the link. */
const opened = async (url: string): Promise<Uint8Array> => {
  const response = await fetch(app.url + url);
  expect([url.split('?')[0], response.status]).toEqual([url.split('?')[0], 200]);
  return new Uint8Array(await response.arrayBuffer());
};
const text = (file: Uint8Array): string => Buffer.from(file).toString('utf8');

describe.each(['/v1', '/api'] as const)('Reports under %s', (prefix) => {
  test('templates say what they may be given', async () => {
    const { data, body } = await speaking(prefix).send('GET', '/reports/templates');
    const list = prefix === '/v1' ? body.data : data;
    expect(list.map((one: { template_id: string }) => one.template_id)).toEqual([...TEMPLATE_IDS]);
    for (const { parameters, formats } of list) {
      expect(formats).toEqual([...DOCUMENT_FORMATS]);
      expect(parameters.map(({ name }: { name: string }) => name)).toContain('date_range');
      for (const one of parameters) expect(one.description).toMatch(/./);
    }
  });

  test('a report is asked for, looked after, fetched by its link and deleted', async () => {
    const { send } = speaking(prefix);
    const asked = {
      template_id: 'ci-inventory',
      parameters: { ci_type: 'server', date_range: 'last_30_days', grouping: 'environment' },
      format: 'csv',
      delivery: { method: 'download', recipients: ['ann@example.com'] },
    };
    const started = await send('POST', '/reports/generate', asked);
    expect(started.status).toBe(202);
    const id = started.data.report_id;
    expect(started.data).toEqual({
      report_id: expect.any(String),
      status: 'generating',
      status_url: `${prefix}/reports/${id}/status`,
      estimated_completion: expect.stringMatching(/Z$/),
      delivery: { method: 'download', recipients: ['ann@example.com'], state: 'pending' },
    });
    expect(started.headers.get('location')).toBe(`${prefix}/reports/${id}/status`);
    await app.app.idle();
    const { data } = await send('GET', `/reports/${id}/status`);
    expect(data).toMatchObject({
      report_id: id,
      template_id: 'ci-inventory',
      status: 'completed',
      step: null,
      error: null,
      format: 'csv',
      parameters: asked.parameters,
      category: 'inventory',
      shared: false,
      estimated_completion: null,
      delivery: { state: 'ready' },
      download_url: expect.stringMatching(new RegExp(`^${prefix}/reports/${id}/download\\?link=`)),
    });
    expect(Date.parse(data.expires_at) - Date.parse(data.completed_at)).toBe(7 * 24 * HOUR_MS);
    const file = await opened(data.download_url);
    expect(file).toHaveLength(data.size_bytes);
    const lines = text(file).trim().split('\r\n');
    expect(lines[0]).toContain('external_key,name,type');
    expect(lines).toHaveLength(1 + 12);
    const byBearer = await send('GET', `/reports/${id}/download`);
    expect(byBearer.headers.get('content-disposition')).toBe(`attachment; filename="${data.file_name}"`);
    expect(byBearer.body).toBe(new TextDecoder().decode(file));
    expect((await send('DELETE', `/reports/${id}`)).data).toEqual({ message: 'Report deleted' });
    expect((await send('GET', `/reports/${id}/status`)).status).toBe(404);
    expect((await fetch(app.url + data.download_url)).status).toBe(404);
  });

  test.each(TEMPLATE_IDS)('%s is made in every format, from what is there', async (template_id) => {
    const { made } = speaking(prefix);
    for (const format of DOCUMENT_FORMATS) {
      const report = await made({ template_id, format });
      expect([report.status, report.error]).toEqual(['completed', null]);
      const file = await opened(report.download_url);
      if (format === 'json') {
        const { report: head, summary, figures, sections } = JSON.parse(text(file));
        expect(head).toMatchObject({ template: template_id, tenant: 'reported', made_by: 'test' });
        expect(summary.join(' ')).not.toMatch(/undefined|NaN|null|Infinity/);
        expect([figures.length, summary.length > 0, sections.length > 0]).toEqual([5, true, true]);
      } else if (format === 'pdf') expect(pdfPages(file).join('\n')).toContain('1 of');
      else expect(text(file)).not.toMatch(/undefined|NaN|\[object/);
    }
  });

  test('rows are of the range and of what was asked for, the most severe first, of those the newest', async () => {
    const { made } = speaking(prefix);
    const rowsOf = async (parameters: object) => {
      const report = await made({ template_id: 'event-summary', format: 'json', parameters });
      const { details, figures } = JSON.parse(text(await opened(report.download_url)));
      expect(figures[0].value).toBe(details.rows.length);
      return details.rows as { severity: string; began: string; source: string; title: string }[];
    };
    const all = await rowsOf({ date_range: 'last_30_days' });
    expect(all).toHaveLength(12);
    const rank = ({ severity }: { severity: string }): number =>
      ['critical', 'major', 'warning', 'info'].indexOf(severity);
    const sorted = [...all].sort((a, b) => rank(a) - rank(b) || (a.began < b.began ? 1 : -1));
    expect(all).toEqual(sorted);
    const last = await rowsOf({ date_range: { from: app.clock.now() - 25 * HOUR_MS } });
    expect(last.map(({ severity }) => severity)).toEqual(['critical', 'major', 'warning', 'info']);
    const some = await rowsOf({ date_range: 'last_30_days', severity: ['major', 'info'], source: 'nagios' });
    expect(some.map(({ source, severity }) => `${source} ${severity}`)).toEqual(Array(3).fill('nagios major'));
    const ofService = await rowsOf({ date_range: 'last_30_days', service: 'Shop', grouping: 'ci' });
    expect(new Set(ofService.map(({ title }) => title.split(' ')[0]))).toEqual(new Set(['PostgreSQL', 'HTTP']));
  });

  test('mistakes are named, with what would be right', async () => {
    const { send } = speaking(prefix);
    const refused = async (body: object): Promise<string> => {
      const reply = await send('POST', '/reports/generate', body);
      expect(reply.status).toBe(400);
      return JSON.stringify(reply.body);
    };
    const inventory = { template_id: 'ci-inventory' };
    expect(await refused({ template_id: 'nope' })).toContain('expected one of ci-inventory, event-summary');
    expect(await refused({ ...inventory, parameters: { colour: 'red' } })).toContain(
      'expected one of ci_type, grouping, date_range',
    );
    expect(await refused({ ...inventory, parameters: { grouping: 'colour' } })).toContain(
      'ci_type, status, environment',
    );
    expect(await refused({ ...inventory, parameters: { date_range: 'whenever' } })).toContain('last_30_days');
    expect(await refused({ ...inventory, parameters: { date_range: { from: '2026-12-24' } } })).toContain(
      'parameters.date_range',
    );
    expect(await refused({ ...inventory, parameters: { ci_type: 'toaster' } })).toContain(
      'known names: database, server, switch',
    );
    expect(await refused({ ...inventory, parameters: { time_zone: 'Mars' } })).toContain('Europe/Berlin');
    expect(await refused({ ...inventory, format: 'docx' })).toContain('pdf');
    expect(await refused({ ...inventory, delivery: { method: 'pigeon' } })).toContain('download');
    const unknown = await send('GET', '/reports/01M7YWBDXTWDA6R21CQ905J7YQ/status');
    expect(unknown.status).toBe(404);
  });

  test('lists show own reports and shared ones, by category, maker and page', async () => {
    const own = await reportedTenant(app, `listed-${prefix.slice(1)}`, { days: 0 });
    const tokenOf = async (name: string, role: string) =>
      (await app.send('POST', '/api/admin/tokens', { name, role }, { token: own.token })).body.data;
    const [ann, bob] = [await tokenOf('ann', 'operator'), await tokenOf('bob', 'viewer')];
    const [asAnn, asBob, asAdmin] = [
      speaking(prefix, ann.token),
      speaking(prefix, bob.token),
      speaking(prefix, own.token),
    ];
    const json = { template_id: 'ci-inventory', format: 'json' };
    const secret = await asAnn.made(json);
    const shared = await asAnn.made({ ...json, shared: true, category: 'Board' });
    const idsOf = async (who: typeof asAnn, query = '') =>
      (await who.send('GET', `/reports${query}`)).body.data.map((one: { report_id: string }) => one.report_id);
    expect(await idsOf(asAnn)).toEqual([shared.report_id, secret.report_id]);
    expect(await idsOf(asBob)).toEqual([shared.report_id]);
    expect(await idsOf(asAnn, '?category=Board')).toEqual([shared.report_id]);
    expect(await idsOf(asAnn, '?shared=false')).toEqual([secret.report_id]);
    expect(await idsOf(asBob, `?created_by=${shared.created_by.id}`)).toEqual([shared.report_id]);
    expect(await idsOf(asBob, '?created_by=nobody')).toEqual([]);
    expect(await idsOf(asAnn, '?page=2&limit=1')).toEqual([secret.report_id]);
    expect((await asBob.send('GET', `/reports/${secret.report_id}/status`)).status).toBe(404);
    expect((await asAdmin.send('GET', `/reports/${secret.report_id}/status`)).status).toBe(404);
    expect((await asBob.send('GET', `/reports/${shared.report_id}/status`)).status).toBe(200);
    expect((await asBob.send('POST', '/reports/generate', json)).status).toBe(403);
    const editor = speaking(prefix, (await tokenOf('eve', 'editor')).token);
    expect((await editor.send('DELETE', `/reports/${shared.report_id}`)).status).toBe(403);
    expect((await asAdmin.send('DELETE', `/reports/${shared.report_id}`)).status).toBe(200);
  });
});
