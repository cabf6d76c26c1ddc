import { beforeAll, describe, expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import { incidentOf } from './incident.ts';

/* A group is investigated over HTTP: whole, and step by step. */

const app = appOfTests();
let world: Awaited<ReturnType<typeof incidentOf>>;
const pathOf = (group: string): string => `/api/events/groups/${group}/investigate`;
beforeAll(async () => {
  world = await incidentOf(app, 'investigated');
});

interface Message {
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: messages of several shapes.
  readonly data: any;
}
/** All messages of the stream. */
const streamed = async (group: string, token: string): Promise<readonly Message[]> => {
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
  const response = await fetch(app.url + pathOf(group), { method: 'POST', headers });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  const text = await response.text();
  return [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, event = '', data = '']) => ({
    event,
    data: JSON.parse(data),
  }));
};

describe('An investigation', () => {
  test('names the cause, who must fail and be silent, and what each check moved', async () => {
    const { send, group, events, sw } = world;
    const { status, body } = await send('POST', pathOf(group));
    expect([status, body.success]).toEqual([200, true]);
    const { investigation } = body;
    expect(investigation).toMatchObject({ groupId: group, complete: true, model: null, degraded: 'no_model' });
    expect(investigation.text).toMatch(/root cause.* before the checks\.$/);
    const [best] = investigation.hypotheses;
    expect(best).toMatchObject({ eventId: events[0], ci: { id: sw, name: 'sw-1' }, rejected: false });
    expect(best.mustFail).toMatchObject({ total: 3, failed: 2 });
    expect(best.checks.map(({ check }: { check: string }) => check)).toEqual([
      'history',
      'changes',
      'path',
      'siblings',
      'past',
    ]);
    const [, changes, path] = best.checks;
    expect(changes.text).toMatch(/^Change “Firmware 4.2 rolled out” on sw-1 30m before it/);
    expect(path.text).toContain('1 dependent without events: mail-1.');
    expect(path.moved).toBeGreaterThan(0);
    expect(best.confidence).toBeGreaterThan(best.initialConfidence);
    expect(investigation.hypotheses.map(({ basis }: { basis: string }) => basis)).toContain('change');
    const { conclusion } = investigation;
    expect(conclusion).toMatchObject({ cause: best.id, basis: 'checks', knowableAt: '2026-11-20T10:31:00.000Z' });
    expect(conclusion.text).toMatch(/^Probable root cause: “Link down” on sw-1, \d+% confidence\.$/);
    expect(conclusion.next).toContain('Check mail-1: it depends on sw-1 and has no events.');
    expect(conclusion.settles).toMatch(/./);
  });

  test('is told step by step to a caller who asks for a stream', async () => {
    const { group, token, send } = world;
    const messages = await streamed(group, token);
    expect(messages[0]).toMatchObject({ event: 'begin', data: { groupId: group } });
    const kinds = messages.map(({ event }) => event);
    const hypotheses = kinds.filter((kind) => kind === 'hypothesis').length;
    expect(kinds).toEqual([
      'begin',
      ...Array(hypotheses).fill('hypothesis'),
      ...Array(hypotheses * 5).fill('check'),
      'end',
    ]);
    const { body } = await send('POST', pathOf(group));
    const { tookMs: _, ...whole } = body.investigation;
    expect(messages.at(-1)?.data).toMatchObject(whole);
  });

  test('is led by the verdict of a user, at once', async () => {
    const { send, token, group, events } = await incidentOf(app, 'investigated-verdict');
    const verdict = { cause: 'wrong', rootEventId: events[1], members: 'right', note: 'broken controller' };
    expect((await send('PUT', `/api/events/groups/${group}/verdict`, verdict)).status).toBeLessThan(300);
    const { conclusion, text, hypotheses } = (await send('POST', pathOf(group))).body.investigation;
    expect(text).toMatch(/^test set the root cause: “PostgreSQL unreachable” on db-1\. Note: “broken controller”\.$/);
    expect(conclusion).toMatchObject({ text, basis: 'verdict', cause: hypotheses[0].id });
    expect(hypotheses.find(({ eventId }: { eventId: string }) => eventId === events[0])).toMatchObject({
      rejected: true,
    });
    expect((await streamed(group, token))[0]?.data.text).toBe(text);
  });

  test('needs a group of the tenant, and permission to read CIs', async () => {
    const { send } = world;
    expect((await send('POST', pathOf('COR-1-abcdef'))).status).toBe(404);
    const other = await app.tenant('investigated-other');
    expect((await app.send('POST', pathOf(world.group), undefined, { token: other })).status).toBe(404);
    const made = await send('POST', '/api/admin/tokens', { name: 'few', scopes: ['events.read'] });
    const { token } = made.body.data ?? made.body;
    expect((await app.send('POST', pathOf(world.group), undefined, { token })).status).toBe(403);
  });
});
