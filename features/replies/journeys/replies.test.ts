import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type HookReceiver, openHookReceiver } from '#test/setup/hook-receiver.ts';
import { openTestApp, type TestApp } from '#test/setup/test-app.ts';

const SECRET = 'a-signing-secret-of-the-service';
let it: TestApp;
let receiver: HookReceiver;
let serial = 0;
beforeEach(async () => {
  receiver = await openHookReceiver();
  it = await openTestApp({ FAULTLINE_OUTBOUND_ALLOW: '127.0.0.0/8' });
});
afterEach(async () => {
  await it.stop();
  await receiver.stop();
});

const hexOf = (text: string): string => createHmac('sha256', SECRET).update(text).digest('hex');
const create = async (format: string, more: object = {}) =>
  (
    await it.send('POST', '/v1/webhooks', {
      name: format,
      url: receiver.url,
      events: ['event.created', 'event.status_changed', 'correlation.created'],
      format,
      reply_secret: SECRET,
      headers: { 'X-Routing-Key': 'k' },
      ...more,
    })
  ).body as { readonly id: string; readonly secret: string };
const reply = (id: string, body: string, headers: Record<string, string>) =>
  it.send('POST', `/api/webhooks/${id}/replies`, body, { token: null, headers });
const ingest = async (hostname = `db-${++serial}`) => {
  const event = { source: 's', sourceId: hostname, severity: 'critical', title: `${hostname} is down`, hostname };
  const { body } = await it.send('POST', '/api/events/ingest', event);
  await it.app.idle();
  return body.eventId as string;
};
const shown = async (id: string) => {
  await it.app.idle();
  return (await it.send('GET', `/api/events/${id}`)).body.event;
};
const sentStates = async () => {
  for (let turn = 0; turn < 3; turn++) {
    it.app.ports.background.ring('deliver-webhooks');
    await it.app.idle();
  }
  return receiver.received.map(({ body }) => body.event_action ?? body.event);
};

describe('PagerDuty', () => {
  const v3 = (type: string, eventId: string, more: object = {}) => ({
    event: {
      id: `01E${++serial}`,
      event_type: `incident.${type}`,
      occurred_at: new Date(it.clock.now()).toISOString(),
      agent: { summary: 'Ann Example', type: 'user_reference' },
      data: { id: 'PINC1', type: 'incident', incident_key: `faultline event ${eventId}` },
      ...more,
    },
  });
  const send = (id: string, body: object, signatures = [hexOf(JSON.stringify(body))]) =>
    reply(id, JSON.stringify(body), { 'x-pagerduty-signature': signatures.map((one) => `v1=${one}`).join(',') });

  test('acknowledges, comments and resolves, once each; the change is not sent back', async () => {
    const { id } = await create('pagerduty');
    const event = await ingest();
    const acknowledged = v3('acknowledged', event);
    expect(await send(id, acknowledged)).toMatchObject({ status: 200, body: { data: { done: true } } });
    expect(await shown(event)).toMatchObject({
      status: 'acknowledged',
      acknowledgedBy: { name: 'pagerduty:Ann Example' },
    });
    expect(await send(id, acknowledged)).toMatchObject({ body: { data: { done: false } } });
    const note = { id: 'N1', type: 'incident_note', content: 'Fan ordered', incident: { id: 'PINC1' } };
    expect((await send(id, v3('annotated', event, { data: note }))).body.data.done).toBe(true);
    expect(JSON.stringify((await shown(event)).history)).toContain('Fan ordered');
    expect((await send(id, v3('resolved', event))).body.data.done).toBe(true);
    expect((await shown(event)).status).toBe('resolved');
    expect((await send(id, v3('acknowledged', event))).body.data.done).toBe(false);
    expect(await sentStates()).toEqual(['trigger']);
    const { body } = await it.send('GET', '/api/admin/audit?actor=pagerduty:Ann%20Example');
    expect(body.data.length).toBeGreaterThan(0);
  });

  test('one of several signatures is enough while its secret is rotated; others are refused alike', async () => {
    const { id } = await create('pagerduty');
    const body = v3('acknowledged', await ingest());
    const refusals = [
      await send(id, body, ['0'.repeat(64)]),
      await send('WHK-unknown', body),
      await reply(id, JSON.stringify(body), {}),
      await it.send('POST', `/api/webhooks/${id}/replies?tenant=other`, body, { token: null }),
    ];
    expect(refusals.map(({ status, body: { error } }) => [status, error.message])).toEqual(
      Array(4).fill([401, 'Unknown webhook or invalid signature']),
    );
    expect(await send(id, body, ['0'.repeat(64), hexOf(JSON.stringify(body))])).toMatchObject({ status: 200 });
  });

  test('an older reply does not undo a newer one', async () => {
    const { id } = await create('pagerduty');
    const event = await ingest();
    const older = v3('unacknowledged', event);
    it.clock.advance(1_000);
    await send(id, v3('acknowledged', event));
    expect((await send(id, older)).body.data.done).toBe(false);
    expect((await shown(event)).status).toBe('acknowledged');
  });

  test.each(['before', 'after'])(
    'a reply that breaks off %s its change is carried out once when it is sent again',
    async (when) => {
      const { id } = await create('pagerduty');
      const event = await ingest();
      const acknowledged = v3('acknowledged', event);
      const { eventLog } = it.app.ports;
      const broken = jest.spyOn(eventLog, 'request').mockImplementationOnce(async (...sent) => {
        if (when === 'after') {
          broken.mockRestore();
          await eventLog.request(...sent);
        }
        throw new Error('killed');
      });
      expect((await send(id, acknowledged)).status).toBe(500);
      broken.mockRestore();
      expect((await send(id, acknowledged)).status).toBe(200);
      const { status, history } = await shown(event);
      expect(status).toBe('acknowledged');
      expect(history.filter(({ to }: { to: string }) => to === 'acknowledged')).toHaveLength(1);
      expect(await sentStates()).toEqual(['trigger']);
    },
  );

  test('a late reply does not undo a later decision; a resolution counts unless the event was reopened since', async () => {
    const { id } = await create('pagerduty');
    const event = await ingest();
    const [acknowledged, resolved] = [v3('acknowledged', event), v3('resolved', event)];
    it.clock.advance(60_000);
    for (const status of ['acknowledged', 'open'])
      await it.send('POST', '/api/events/status', { ids: [event], status });
    expect((await send(id, acknowledged)).body.data.done).toBe(false);
    expect((await send(id, resolved)).body.data.done).toBe(false);
    const later = v3('resolved', event);
    it.clock.advance(60_000);
    await it.send('POST', '/api/events/status', { ids: [event], status: 'acknowledged' });
    expect((await send(id, later)).body.data.done).toBe(true);
    expect((await shown(event)).status).toBe('resolved');
  });

  test('what the webhook is not told of is not its to change', async () => {
    const { id } = await create('pagerduty', { filter: { services: ['shop'] } });
    const event = await ingest();
    expect((await send(id, v3('acknowledged', event))).body.data.done).toBe(false);
    expect((await shown(event)).status).toBe('open');
  });
});

describe('Slack', () => {
  const click = (id: string, action: string, value: string, at = it.clock.now()) => {
    const seconds = String(Math.floor(at / 1_000));
    const actions = [{ action_id: `faultline-${action}`, value, action_ts: `${at / 1_000}` }];
    const payload = JSON.stringify({ type: 'block_actions', user: { id: 'U1', username: 'ann' }, actions });
    const body = new URLSearchParams({ payload }).toString();
    return reply(id, body, {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': seconds,
      'x-slack-signature': `v0=${hexOf(`v0:${seconds}:${body}`)}`,
    });
  };

  test('buttons of a message act on its subject', async () => {
    const { id } = await create('slack');
    const event = await ingest();
    await sentStates();
    const { blocks } = receiver.received[0]!.body;
    const { elements } = blocks.find(({ type }: { type: string }) => type === 'actions');
    expect(elements.map(({ text }: { text: { text: string } }) => text.text)).toEqual([
      'Acknowledge',
      'Resolve',
      'Silence 1h',
    ]);
    expect((await click(id, 'acknowledge', elements[0].value)).body.data.done).toBe(true);
    expect(await shown(event)).toMatchObject({ status: 'acknowledged', acknowledgedBy: { name: 'slack:ann' } });
    expect((await click(id, 'silence', elements[0].value)).body.data.done).toBe(true);
    expect((await it.send('GET', '/api/events/silences')).body.silences).toMatchObject([
      { matcher: { host: (await shown(event)).hostname }, reason: '1h by slack:ann' },
    ]);
  });

  test('a click of more than five minutes ago is refused', async () => {
    const { id } = await create('slack');
    const event = await ingest();
    expect((await click(id, 'resolve', `event ${event}`, it.clock.now() - 301_000)).status).toBe(401);
  });
});

test('another program signs by the secret of the webhook; a wrong root cause is a verdict', async () => {
  const { id, secret } = await create('standard', { reply_secret: undefined });
  const send = (said: object) => {
    const [messageId, seconds, body] = [
      `msg-${++serial}`,
      String(Math.floor(it.clock.now() / 1_000)),
      JSON.stringify(said),
    ];
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key).update(`${messageId}.${seconds}.${body}`).digest('base64');
    return reply(id, body, {
      'webhook-id': messageId,
      'webhook-timestamp': seconds,
      'webhook-signature': `v1,${signature}`,
    });
  };
  const [one, other] = [await ingest('a-1'), await ingest('b-1')];
  await it.send('POST', '/api/events/correlate', { primaryEventId: one, relatedEventIds: [other], reason: 'x' });
  await it.app.idle();
  const [{ correlationId: group }] = (await it.send('GET', '/api/events/groups')).body.groups;
  expect(await send({ action: 'wrong-cause', group, by: 'ann' })).toMatchObject({ status: 200 });
  const { body } = await it.send('GET', `/api/events/groups/${group}`);
  expect(body.group.verdict).toMatchObject({ cause: 'wrong', by: { name: 'webhook:ann' } });
  expect((await send({ action: 'note', group, note: 'Look at b-1', by: 'ann' })).body.data.done).toBe(true);
  expect((await send({ action: 'dance', group })).body.error.details).toMatchObject({ field: 'action' });
  expect((await send({ action: 'note', group })).body.error.details).toMatchObject({ field: 'note' });
});
