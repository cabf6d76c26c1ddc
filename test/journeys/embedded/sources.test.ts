import { spawn } from 'node:child_process';
import { sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Outbound } from '#domain/ports/outbound.ts';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { type SelfSigned, selfSigned } from '#test/setup/self-signed.ts';
import { openTestApp, type TestApp, TOKEN } from '#test/setup/test-app.ts';

const directory = temporaryDirectory();
const certificateFile = join(directory.path, 'sns.pem');
let app: TestApp;
let ours: SelfSigned;
let serial = 0;
beforeAll(async () => {
  ours = selfSigned();
  writeFileSync(certificateFile, ours.certificate);
  app = await openTestApp({ FAULTLINE_SNS_CERT_FILE: certificateFile });
});
afterAll(async () => {
  await app.stop();
  directory.remove();
});

const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:alarms';
const alarm = (name: string, state: string): string =>
  JSON.stringify({
    AlarmName: name,
    AlarmArn: `arn:aws:cloudwatch:eu-west-1:123456789012:alarm:${name}`,
    NewStateValue: state,
    StateChangeTime: '2026-11-20T10:00:00.000+0000',
  });

interface Envelope extends Readonly<Record<string, string>> {
  readonly Type: string;
}
const notification = (message: string, more: Readonly<Record<string, string>> = {}): Envelope => ({
  Type: 'Notification',
  MessageId: `m-${++serial}`,
  TopicArn: TOPIC,
  Message: message,
  Timestamp: '2026-11-20T10:00:01.000Z',
  SignatureVersion: '2',
  SigningCertURL: 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem',
  ...more,
});
const confirmation = (): Envelope =>
  notification('You have chosen to subscribe', {
    Type: 'SubscriptionConfirmation',
    Token: 'abc',
    SubscribeURL: 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=abc',
  });

const SIGNED = ['Message', 'MessageId', 'SubscribeURL', 'Subject', 'Timestamp', 'Token', 'TopicArn', 'Type'];
/** Signs as SNS does: the named fields in byte order, each as a line of name and a line of value. */
const signed = (envelope: Envelope, by: SelfSigned = ours): Envelope => {
  const fields = SIGNED.filter((field) => field in envelope);
  const text = fields.map((field) => `${field}\n${envelope[field]}\n`).join('');
  const algorithm = envelope.SignatureVersion === '1' ? 'sha1' : 'sha256';
  return { ...envelope, Signature: sign(algorithm, Buffer.from(text), by.privateKey).toString('base64') };
};

/** SNS posts JSON as plain text. */
const deliver = (envelope: object, token: string | null, { headers = {}, query = '' } = {}) =>
  app.send('POST', `/api/events/webhook/cloudwatch${query}`, JSON.stringify(envelope), {
    token,
    headers: { 'content-type': 'text/plain; charset=UTF-8', 'x-amz-sns-message-type': 'Notification', ...headers },
  });
const tenant = () => app.tenant(`sns-${++serial}`);

describe('a message of Amazon SNS', () => {
  test.each(['1', '2'])('signed in version %s is taken in, and its end ends the event', async (version) => {
    const token = await tenant();
    const more = { SignatureVersion: version, Subject: 'ALARM: cpu' };
    const opened = await deliver(signed(notification(alarm('cpu', 'ALARM'), more)), token);
    expect(opened).toMatchObject({ status: 200, body: { results: [{ action: 'open', status: 'created' }] } });
    const over = await deliver(signed(notification(alarm('cpu', 'OK'), more)), token);
    expect(over.body.results).toMatchObject([{ status: 'resolved', eventId: opened.body.results[0].eventId }]);
  });

  const forgeries: readonly (readonly [string, (genuine: Envelope) => object])[] = [
    ['changed after it was signed', (genuine) => ({ ...genuine, Message: alarm('other', 'ALARM') })],
    ['signed by someone else', (genuine) => signed(genuine, selfSigned())],
    ['without a signature', ({ Signature: _, ...genuine }) => genuine],
    ['of the other version', (genuine) => ({ ...genuine, SignatureVersion: '1' })],
    ...[
      'https://sns.eu-west-1.amazonaws.com.evil.example/x.pem',
      'https://evil.example/x.pem',
      'http://sns.eu-west-1.amazonaws.com/x.pem',
      'https://sns.eu-west-1.amazonaws.com@evil.example/x.pem',
      'https://sns.eu-west-1.amazonaws.com/x.txt',
    ].map(
      (SigningCertURL) =>
        [`with its certificate at ${SigningCertURL}`, (e: Envelope) => signed({ ...e, SigningCertURL })] as const,
    ),
  ];
  test.each(forgeries)('%s is refused and changes nothing', async (_, forge) => {
    const token = await tenant();
    const refused = await deliver(forge(signed(notification(alarm('cpu', 'ALARM')))), token);
    expect(refused.status).toBe(403);
    expect((await app.send('GET', '/api/events', undefined, { token })).body.pagination.total).toBe(0);
  });

  test('of a topic that is not on the list is refused', async () => {
    const token = await tenant();
    const list = (snsTopics: string[]) => app.send('PUT', '/api/admin/settings/inbound', { snsTopics }, { token });
    const genuine = signed(notification(alarm('cpu', 'ALARM')));
    await list(['arn:aws:sns:eu-west-1:123456789012:others']);
    expect((await deliver(genuine, token)).status).toBe(403);
    await list([TOPIC]);
    expect((await deliver(genuine, token)).status).toBe(200);
  });

  test('that comes again is answered as before and not counted', async () => {
    const token = await tenant();
    const genuine = signed(notification(alarm('cpu', 'ALARM')));
    const [first, again] = [await deliver(genuine, token), await deliver(genuine, token)];
    expect(again.body.results).toEqual(first.body.results);
    await deliver(signed(notification(alarm('cpu', 'ALARM'))), token);
    const { events } = (await app.send('GET', '/api/events', undefined, { token })).body;
    expect(events.map((event: { occurrenceCount: number }) => event.occurrenceCount)).toEqual([2]);
  });

  const bridge = (id: string, before: string | undefined, now: string | undefined, contributor?: string) => ({
    id,
    'detail-type': `CloudWatch Alarm ${contributor === undefined ? '' : 'Contributor '}State Change`,
    resources: ['arn:aws:cloudwatch:eu-west-1:123456789012:alarm:shop'],
    detail: {
      alarmName: 'shop',
      state: { value: 'ALARM', actionsSuppressedBy: now },
      previousState: { value: 'ALARM', actionsSuppressedBy: before },
      ...(contributor !== undefined && {
        alarmContributor: { id: contributor, attributes: { endpoint: contributor } },
      }),
    },
  });
  const statuses = async (token: string): Promise<string[]> => {
    const { events } = (await app.send('GET', '/api/events', undefined, { token })).body;
    return events.map((event: { status: string }) => event.status);
  };

  test.each([
    ['as it is', (event: object) => event],
    ['in an envelope', (event: object) => signed(notification(JSON.stringify(event)))],
  ])('of an alarm of EventBridge %s suppresses it while it burns, and ends that', async (_, wrap) => {
    const token = await tenant();
    await deliver(wrap(bridge('S0', undefined, undefined)), token);
    const suppressed = await deliver(wrap(bridge('S1', undefined, 'Alarm')), token);
    expect(suppressed.body.results).toMatchObject([{ status: 'duplicate_updated' }, { status: 'suppressed' }]);
    expect(await statuses(token)).toEqual(['suppressed']);
    await deliver(wrap(bridge('S2', 'Alarm', undefined)), token);
    expect(await statuses(token)).toEqual(['open']);
  });

  test('of one time series ends what it opened, not that of another', async () => {
    const token = await tenant();
    for (const name of ['a', 'b']) await deliver(bridge(name, undefined, undefined, name), token);
    const over = bridge('a-over', undefined, undefined, 'a');
    await deliver({ ...over, detail: { ...over.detail, state: { value: 'OK' } } }, token);
    expect((await statuses(token)).sort()).toEqual(['open', 'resolved']);
  });

  test('of a composite alarm in another account is about another event', async () => {
    const token = await tenant();
    for (const owner of ['eu-west-1:123456789012', 'us-east-1:999999999999']) {
      const composite = {
        ...JSON.parse(alarm('prod-health', 'ALARM')),
        AlarmArn: `arn:aws:cloudwatch:${owner}:alarm:p`,
      };
      await deliver(signed(notification(JSON.stringify(composite))), token);
    }
    expect(await statuses(token)).toEqual(['open', 'open']);
  });

  test('that ends the subscription is answered with the reason and is in the audit trail', async () => {
    const token = await tenant();
    const more = {
      Type: 'UnsubscribeConfirmation',
      Token: 'abc',
      SubscribeURL: 'https://sns.eu-west-1.amazonaws.com/',
    };
    const answer = await deliver(signed(notification('You have chosen to deactivate', more)), token);
    expect(answer.body.results).toEqual([
      {
        sourceId: TOPIC,
        action: 'ignore',
        status: 'ignored',
        eventId: null,
        reason: 'the subscription was canceled in SNS',
      },
    ]);
    const { data } = (await app.send('GET', '/api/admin/audit', undefined, { token })).body;
    expect(data[0]).toMatchObject({ action: 'subscription.ended', target: { kind: 'sns-topic', id: TOPIC } });
  });

  test('that asks for confirmation is confirmed, or asked for again while SNS cannot be reached', async () => {
    const token = await tenant();
    const called: string[] = [];
    let answer: () => { status: number; body: string } = () => ({ status: 200, body: '' });
    const get: Outbound['get'] = async (url) => {
      called.push(url);
      return answer();
    };
    Object.assign(app.app.ports, { outbound: { get } });
    const asked = signed(confirmation());
    expect((await deliver(asked, token)).body.results).toMatchObject([{ action: 'confirm', status: 'confirmed' }]);
    expect(called).toEqual([asked.SubscribeURL]);
    answer = () => ({ status: 500, body: '' });
    expect((await deliver(signed(confirmation()), token)).status).toBe(503);
    answer = () => {
      throw new Error('no route to host');
    };
    const unreachable = await deliver(signed(confirmation()), token);
    expect([unreachable.status, unreachable.headers.has('retry-after')]).toEqual([503, true]);
    const elsewhere = signed({ ...confirmation(), SubscribeURL: 'https://evil.example/?Action=ConfirmSubscription' });
    expect((await deliver(elsewhere, token)).status).toBe(403);
    expect(called).toHaveLength(3);
  });
});

describe('a refused body is kept without the credentials of its sender', () => {
  const trigger = { event_action: 'trigger', payload: { summary: '' } };
  const envelope = { ...notification('x', { Type: 'Gossip' }), UnsubscribeURL: 'https://sns.example/?s=S3CRET' };
  test.each([
    ['pagerduty', { ...trigger, routing_key: 'S3CRET' }, 400],
    ['pagerduty', { event_type: 'trigger', service_key: 'S3CRET' }, 400],
    [
      'pagerduty',
      [
        { ...trigger, routing_key: 'S3CRET' },
        { event_action: 'resolve', dedup_key: 'k', routing_key: 'S3CRET' },
      ],
      202,
    ],
    ['pagerduty', '{"routing_key": "S3CRET", "payload": {"summary": "a "quoted" word"}}', 400],
    ['pagerduty', 'routing_key=S3CRET&event_action=trigger', 400],
    ['cloudwatch', envelope, 400],
  ])('%s: %j', async (source, body, status) => {
    const token = await tenant();
    expect((await app.send('POST', `/api/events/webhook/${source}`, body, { token })).status).toBe(status);
    const { data } = (await app.send('GET', '/api/admin/rejected', undefined, { token })).body;
    expect(data).toHaveLength(1);
    expect(data[0].payload).toContain('[hidden]');
    expect(JSON.stringify(data)).not.toContain('S3CRET');
  });
});

describe('a sender that cannot send a bearer header', () => {
  const feedOf = async (scopes: string[]) => {
    const admin = await tenant();
    const made = await app.send('POST', '/api/admin/tokens', { name: 'sns', scopes }, { token: admin });
    return made.body.data.token as string;
  };
  const genuine = () => signed(notification(alarm('cpu', 'ALARM')));

  test('gives the token as the password of Basic or in the address', async () => {
    const token = await feedOf(['events.webhook']);
    const authorization = `Basic ${Buffer.from(`x:${token}`).toString('base64')}`;
    expect((await deliver(genuine(), null, { headers: { authorization } })).status).toBe(200);
    expect((await deliver(genuine(), null, { query: `?token=${token}` })).status).toBe(200);
  });

  test('in the address only one that can do nothing else', async () => {
    const strong = await feedOf(['events.webhook', 'events.read']);
    expect((await deliver(genuine(), null, { query: `?token=${strong}` })).status).toBe(401);
    const weak = await feedOf(['events.webhook']);
    const elsewhere = await app.send('GET', `/api/events?token=${weak}`, undefined, { token: null });
    expect(elsewhere.status).toBe(401);
    expect(JSON.stringify(elsewhere.body)).not.toContain(weak);
  });

  test('never finds its token in the log, which says why a request was refused and that the server has stopped', async () => {
    const env = {
      PORT: '0',
      FAULTLINE_DATA: ':memory:',
      FAULTLINE_BOOTSTRAP_TOKEN: TOKEN,
      FAULTLINE_LOG_LEVEL: 'trace',
    };
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'main.ts'], { env });
    let said = '';
    const { promise: ready, resolve } = Promise.withResolvers<string>();
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        const url = /ready at (\S+)/.exec(said)?.[1];
        if (url) resolve(url);
      });
    const url = await ready;
    const made = await fetch(`${url}/api/admin/tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'feed', scopes: ['events.webhook'] }),
    });
    const { token } = ((await made.json()) as { data: { token: string } }).data;
    for (const body of ['{"service":"s"}', '{', '[]']) {
      const path = `${url}/api/events/webhook/nagios?token=${token}`;
      expect((await fetch(path, { method: 'POST', body })).status).toBe(400);
    }
    await fetch(`${url}/api/events?token=${token}`);
    const credentials = JSON.stringify({ username: 'admin', password: { s3cr3t: 's3cr3t' } });
    const headers = { 'content-type': 'application/json' };
    await fetch(`${url}/api/auth/login`, { method: 'POST', headers, body: credentials });
    const exited = new Promise((done) => child.once('exit', done));
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
    expect(said).toContain('/api/events/webhook/');
    expect(said).toMatch(/"path":"\/api\/auth\/login".*"why":"invalid: password"/);
    expect(said).toMatch(/"status":401,.*"why":"/);
    expect(said).toContain('Faultline has stopped');
    for (const secret of [token, TOKEN, 's3cr3t']) expect(said).not.toContain(secret);
  });
});
