import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openTestApp, type TestApp } from '#test/setup/test-app.ts';
import { until } from '#test/setup/until.ts';

/* One ticket per problem in Jira and ServiceNow: stand-ins that check what they are asked. */

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes; tests compare them.
  readonly body: any;
}
type Answer = readonly [status: number, body?: unknown];

let it: TestApp;
let server: Server;
let asked: Asked[];
let answer: (asked: Asked) => Answer;
beforeEach(async () => {
  asked = [];
  server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk as Uint8Array);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const text = Buffer.concat(chunks).toString('utf8');
    const one = { method: request.method ?? '', path: pathname, query: searchParams, body: text && JSON.parse(text) };
    const isAllowed = request.headers.authorization === 'Basic abc';
    if (isAllowed) asked.push(one);
    const [status, body] = isAllowed ? answer(one) : [401];
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body === undefined ? '' : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  it = await openTestApp({ FAULTLINE_OUTBOUND_ALLOW: '127.0.0.0/8' });
});
afterEach(async () => {
  await it.stop();
  server.close();
});

const origin = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const create = (format: string, path: string) =>
  it.send('POST', '/v1/webhooks', {
    name: format,
    url: origin() + path,
    events: ['event.created', 'event.status_changed'],
    format,
    headers: { Authorization: 'Basic abc' },
  });
const delivered = async (id: string, count: number): Promise<void> => {
  await until(async () => {
    it.app.ports.background.ring('deliver-webhooks');
    await it.app.idle();
    const { body } = await it.send('GET', `/v1/webhooks/${id}/deliveries?status=delivered`);
    return body.pagination.total >= count;
  });
};
const down = { source: 's', sourceId: 'db-1', severity: 'critical', title: 'Disk is full', hostname: 'db-1' };
const ingest = async (more: object = {}): Promise<string> => {
  const { body } = await it.send('POST', '/api/events/ingest', { ...down, ...more });
  await it.app.idle();
  return body.eventId;
};
const steps = () => asked.map(({ method, path }) => `${method} ${path}`);

describe('Jira', () => {
  const ISSUE = '/rest/api/2/issue';
  const issues = new Map<string, { status: string; readonly labels: readonly string[]; readonly comments: string[] }>();
  const categories = { 11: 'indeterminate', 31: 'done' } as const;
  beforeEach(() => {
    issues.clear();
    answer = ({ method, path, query, body }): Answer => {
      const [, , , , , key = '', part] = path.split('/');
      const issue = issues.get(key);
      if (path.endsWith('/search')) {
        const [, label] = /^labels = "(.*)"$/.exec(query.get('jql') ?? '') ?? [];
        return [
          200,
          { issues: [...issues].filter(([, one]) => one.labels.includes(label!)).map(([key]) => ({ key })) },
        ];
      }
      if (path === ISSUE && method === 'POST') {
        const { project, issuetype, summary, labels } = body.fields;
        if (project.key !== 'OPS' || issuetype.name !== 'Incident' || !summary || / /.test(labels[0])) return [400];
        issues.set(`OPS-${issues.size + 1}`, { status: 'new', labels, comments: [] });
        return [201, { id: '1', key: `OPS-${issues.size}` }];
      }
      if (issue === undefined) return [404];
      if (part === 'comment') return [201, { id: issue.comments.push(body.body) }];
      if (part === 'transitions' && method === 'POST') {
        issue.status = categories[body.transition.id as 11 | 31];
        return [204];
      }
      const transitions = Object.entries(categories).map(([id, key]) => ({ id, to: { statusCategory: { key } } }));
      if (part === 'transitions') return [200, { transitions }];
      return [200, { fields: { status: { statusCategory: { key: issue.status } } } }];
    };
  });

  test('a problem is one issue: opened, commented, closed, reopened', async () => {
    const { body: hook } = await create('jira', `${ISSUE}?project=OPS&issuetype=Incident`);
    const id = await ingest();
    await delivered(hook.id, 1);
    expect(steps()).toEqual(['GET /rest/api/2/search', `POST ${ISSUE}`]);
    expect(asked[1]?.body.fields).toMatchObject({
      summary: 'Disk is full',
      description: expect.stringContaining('Host: db-1'),
      labels: [`faultline-event-${id}`],
    });
    await it.send('PATCH', `/api/events/${id}/status`, { status: 'acknowledged' });
    await delivered(hook.id, 2);
    await it.send('PATCH', `/api/events/${id}/status`, { status: 'resolved' });
    await delivered(hook.id, 3);
    expect([...issues]).toMatchObject([
      ['OPS-1', { status: 'done', comments: [expect.stringContaining('acknowledged'), expect.anything()] }],
    ]);
  });

  test('an issue that only Jira knows is found by its label; a deleted one is opened again', async () => {
    const { body: hook } = await create('jira', `${ISSUE}?project=OPS&issuetype=Incident`);
    const id = await ingest();
    await delivered(hook.id, 1);
    const { records } = it.app.ports;
    await records.remove('default', 'webhook-ticket', `${hook.id} faultline-event-${id}`);
    await it.send('PATCH', `/api/events/${id}/status`, { status: 'acknowledged' });
    await delivered(hook.id, 2);
    expect(issues.size).toBe(1);
    issues.clear();
    await it.send('POST', `/v1/webhooks/${hook.id}/test`);
    await delivered(hook.id, 3);
    expect([...issues.values()]).toMatchObject([{ labels: [`faultline-${hook.id}`] }]);
  });

  test('an address without a project is refused', async () => {
    expect((await create('jira', ISSUE)).body.error.details[0]).toMatchObject({
      field: 'url',
      error: expect.stringContaining('?project=KEY'),
    });
  });
});

test('ServiceNow: an incident is opened, gets work notes, and is resolved', async () => {
  const TABLE = '/api/now/table/incident';
  const rows = new Map<string, Record<string, string>>();
  answer = ({ method, path, query, body }): Answer => {
    const row = rows.get(path.slice(TABLE.length + 1));
    if (path === TABLE && method === 'GET') {
      const key = query.get('sysparm_query')?.replace('correlation_id=', '');
      const found = [...rows].filter(([, one]) => one.correlation_id === key);
      return [200, { result: found.map(([sys_id]) => ({ sys_id })) }];
    }
    if (path === TABLE) {
      rows.set('a1', { state: '1', ...body });
      return [201, { result: { sys_id: 'a1' } }];
    }
    if (row === undefined) return [404];
    if (method === 'PATCH') Object.assign(row, body);
    return [200, { result: row }];
  };
  const { body: hook } = await create('servicenow', TABLE);
  const id = await ingest();
  await delivered(hook.id, 1);
  expect(rows.get('a1')).toMatchObject({
    short_description: 'Disk is full',
    correlation_id: `faultline-event-${id}`,
    correlation_display: 'Faultline',
    urgency: '1',
    impact: '1',
    state: '1',
  });
  await it.send('PATCH', `/api/events/${id}/status`, { status: 'resolved', notes: 'Cleaned' });
  await delivered(hook.id, 2);
  expect(rows.get('a1')).toMatchObject({
    state: '6',
    close_code: 'Solution provided',
    close_notes: expect.stringContaining('Cleaned'),
    work_notes: expect.stringContaining('resolved'),
  });
  expect(rows.size).toBe(1);
});
