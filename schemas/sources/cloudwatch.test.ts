import { describe, expect, test } from '@jest/globals';
import {
  ALARM_ARN,
  actionOf,
  alarmMessage,
  bridgeAlarm,
  draftOf,
  readAs,
  snsNotification,
  TOPIC,
} from './samples-for-tests.ts';

const described = (AlarmDescription: string) => snsNotification({ ...alarmMessage, AlarmDescription });
const lambda = {
  source: 'aws.cloudwatch',
  alarmArn: ALARM_ARN,
  accountId: '210987654321',
  time: '2026-11-21T06:10:00.000+0000',
  region: 'us-east-1',
  alarmData: {
    alarmName: 'web-5xx',
    state: { value: 'ALARM', reason: 'r' },
    configuration: { description: 'd', metrics: [] },
  },
};

describe('CloudWatch through SNS', () => {
  test('an alarm: what is shown', () => {
    expect(actionOf('aws', snsNotification(alarmMessage))).toMatchObject({
      action: 'open',
      conditionId: `cloudwatch:${ALARM_ARN}`,
      deliveryId: 'cloudwatch:5f1a0d0c-0000-5000-8000-000000000001',
      draft: {
        source: 'cloudwatch',
        sourceId: ALARM_ARN,
        severity: 'major',
        title: 'web-5xx',
        timestamp: Date.UTC(2026, 10, 21, 6, 10),
        ciHints: [
          'arn:aws:elasticloadbalancing:us-east-1:210987654321:loadbalancer/app/web/0123456789abcdef',
          'app/web/0123456789abcdef',
          ALARM_ARN,
        ],
        details: {
          region: 'us-east-1',
          accountId: '210987654321',
          metric: 'HTTPCode_ELB_5XX_Count',
          sourceSeverity: 'ALARM',
          raw: alarmMessage,
        },
      },
    });
  });

  test('OK resolves the same condition', () => {
    const ok = { ...alarmMessage, NewStateValue: 'OK', StateChangeTime: '2026-11-21T06:20:00.000+0000' };
    expect(actionOf('cloudwatch', snsNotification(ok))).toMatchObject({
      action: 'resolve',
      conditionId: `cloudwatch:${ALARM_ARN}`,
      at: Date.UTC(2026, 10, 21, 6, 20),
    });
  });

  test.each([
    ['plain', 'major', undefined],
    ['x [severity=critical] y', 'critical', undefined],
    ['[Severity: P3]', 'minor', undefined],
    ['[severity=odd]', 'major', 'severity:odd'],
  ])('description %p makes it %s', (description, severity, tag) => {
    const draft = draftOf('cloudwatch', described(description));
    expect(draft.severity).toBe(severity);
    expect(draft.tags?.find((one) => one.startsWith('severity:'))).toBe(tag);
  });

  test('missing data is a warning whatever the description says', () => {
    const message = { ...alarmMessage, NewStateValue: 'INSUFFICIENT_DATA', AlarmDescription: '[severity=critical]' };
    expect(draftOf('cloudwatch', snsNotification(message)).severity).toBe('warning');
    expect(
      draftOf('cloudwatch', snsNotification(message), { severities: { cloudwatch: { insufficient_data: 'info' } } })
        .severity,
    ).toBe('info');
  });

  test('what to verify is handed over exactly as signed', () => {
    const sent = snsNotification('  text with blanks \n');
    expect(readAs('cloudwatch', sent).signed).toEqual({
      scheme: 'sns',
      signatureVersion: '1',
      signature: 'c2lnbmF0dXJl',
      certificateUrl: 'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0.pem',
      topic: TOPIC,
      stringToSign: `Message\n  text with blanks \n\nMessageId\n${sent.MessageId}\nSubject\nALARM: "web-5xx"\nTimestamp\n${sent.Timestamp}\nTopicArn\n${TOPIC}\nType\nNotification\n`,
    });
    const { Subject: _subject, ...without } = sent;
    expect(readAs('cloudwatch', without).signed?.stringToSign).not.toContain('Subject');
    expect(readAs('cloudwatch', { ...sent, Subject: null }).signed?.stringToSign).not.toContain('Subject');
  });

  const confirmation = {
    Type: 'SubscriptionConfirmation',
    MessageId: 'm-1',
    Token: 't-1',
    TopicArn: TOPIC,
    Message: 'You have chosen',
    SubscribeURL: 'https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&Token=t-1',
    Timestamp: '2026-11-21T06:00:00.000Z',
    SignatureVersion: '2',
    Signature: 'eA==',
    SigningCertURL: 'https://sns.us-east-1.amazonaws.com/x.pem',
  };

  test('a subscription is to be confirmed, an ended one is only noted', () => {
    const reading = readAs('cloudwatch', confirmation);
    expect(reading.items).toEqual([
      { ok: true, action: { action: 'confirm', sourceId: TOPIC, url: confirmation.SubscribeURL } },
    ]);
    expect(reading.signed?.stringToSign).toBe(
      `Message\nYou have chosen\nMessageId\nm-1\nSubscribeURL\n${confirmation.SubscribeURL}\nTimestamp\n${confirmation.Timestamp}\nToken\nt-1\nTopicArn\n${TOPIC}\nType\nSubscriptionConfirmation\n`,
    );
    expect(actionOf('cloudwatch', { ...confirmation, Type: 'UnsubscribeConfirmation' }).action).toBe('ignore');
  });

  test('an envelope without signature is still to be verified', () => {
    const { Signature: _signature, SigningCertURL: _url, ...bare } = snsNotification(alarmMessage);
    expect(readAs('cloudwatch', bare).signed).toMatchObject({ signature: '', certificateUrl: '' });
  });

  test('a topic that is not on the list may not post', () => {
    expect(() => readAs('cloudwatch', snsNotification(alarmMessage), { snsTopics: ['arn:other'] })).toThrow(
      expect.objectContaining({ kind: 'forbidden' }),
    );
    expect(readAs('cloudwatch', snsNotification(alarmMessage), { snsTopics: [TOPIC] }).items[0]?.ok).toBe(true);
    const headers = { 'x-amz-sns-topic-arn': 'arn:other' };
    expect(() => readAs('cloudwatch', alarmMessage, { snsTopics: [TOPIC], headers })).toThrow(
      expect.objectContaining({ kind: 'forbidden' }),
    );
  });

  test.each([
    ['an unknown type', snsNotification(alarmMessage, { Type: 'Gossip' })],
    ['no topic', snsNotification(alarmMessage, { TopicArn: undefined })],
    ['an unknown version', snsNotification(alarmMessage, { SignatureVersion: '3' })],
    ['something else', { hello: 1 }],
    ['text that SNS did not send', '{"AlarmName":'],
    ['an empty list', []],
  ])('%s is refused', (_what, body) => {
    expect(() => readAs('cloudwatch', body)).toThrow(expect.objectContaining({ kind: 'invalid' }));
  });

  test('other text is a warning that no recovery will end', () => {
    const action = actionOf('cloudwatch', snsNotification('Budget exceeded\nby far', { Subject: 'Budget' }));
    expect(action).toMatchObject({
      action: 'open',
      conditionId: null,
      draft: { title: 'Budget', severity: 'warning', description: 'Budget exceeded\nby far' },
    });
    expect(draftOf('cloudwatch', snsNotification('Budget exceeded\nby far', { Subject: undefined })).title).toBe(
      'Budget exceeded',
    );
  });

  test('JSON in several lines without a subject is titled with all of it', () => {
    const message = snsNotification(JSON.stringify({ job: 'nightly', result: 'lost' }, null, 2), {
      Subject: undefined,
    });
    expect(draftOf('cloudwatch', message).title).toBe('{ "job": "nightly", "result": "lost" }');
  });

  test('a composite alarm names its children, metric math its metrics', () => {
    const { Trigger: _trigger, ...rest } = alarmMessage;
    const children = [{ Arn: 'arn:child', State: { Value: 'ALARM', Timestamp: '2026-11-21T06:09:00Z' } }];
    const composite = draftOf(
      'cloudwatch',
      snsNotification({ ...rest, AlarmRule: 'ALARM(a) OR ALARM(b)', TriggeringChildren: children }),
    );
    expect(composite.details).toMatchObject({ alarmRule: 'ALARM(a) OR ALARM(b)', triggeringChildren: ['arn:child'] });
    const Metrics = [
      { Id: 'e1', Expression: 'm1/m2' },
      {
        Id: 'm1',
        MetricStat: {
          Metric: { Dimensions: [{ name: 'InstanceId', value: 'i-0a' }], MetricName: 'Errors', Namespace: 'X' },
        },
      },
    ];
    expect(draftOf('cloudwatch', snsNotification({ ...rest, Trigger: { Metrics } }))).toMatchObject({
      hostname: 'i-0a',
      details: { metric: 'Errors' },
    });
  });

  test('without an ARN account, region and name make the id', () => {
    const { AlarmArn: _arn, ...rest } = alarmMessage;
    expect(draftOf('cloudwatch', snsNotification(rest)).sourceId).toBe('210987654321:US East (N. Virginia):web-5xx');
  });
});

describe('CloudWatch without SNS', () => {
  test('raw delivery takes its delivery from the headers', () => {
    const action = actionOf('cloudwatch', alarmMessage, { headers: { 'x-amz-sns-message-id': 'raw-1' } });
    expect(action).toMatchObject({
      action: 'open',
      conditionId: `cloudwatch:${ALARM_ARN}`,
      deliveryId: 'cloudwatch:raw-1',
    });
    expect(readAs('cloudwatch', JSON.stringify(alarmMessage)).signed).toBeUndefined();
    expect(draftOf('cloudwatch', 'plain words', { headers: { 'x-amz-sns-message-type': 'Notification' } }).title).toBe(
      'plain words',
    );
  });

  test('EventBridge: tags decide the severity', () => {
    expect(actionOf('cloudwatch', bridgeAlarm)).toMatchObject({
      action: 'open',
      conditionId: `cloudwatch:${ALARM_ARN}`,
      deliveryId: `cloudwatch:${bridgeAlarm.id}`,
      draft: {
        severity: 'critical',
        service: 'web',
        hostname: 'i-0f00',
        ciHints: ['arn:aws:ec2:us-east-1:210987654321:instance/i-0f00', ALARM_ARN],
      },
    });
  });

  test('a suppressed composite alarm arrives suppressed', () => {
    const state = { ...bridgeAlarm.detail.state, actionsSuppressedBy: 'Alarm' };
    expect(draftOf('cloudwatch', { ...bridgeAlarm, detail: { ...bridgeAlarm.detail, state } }).status).toBe(
      'suppressed',
    );
  });

  test.each([
    ['is suppressed while it burns', undefined, 'Alarm', ['open', 'suppress']],
    ['is no longer suppressed', 'WaitPeriod', undefined, ['open', 'unsuppress']],
    ['stays suppressed', 'WaitPeriod', 'Alarm', ['open']],
    ['stays as it is', undefined, undefined, ['open']],
  ])('a composite alarm that %s', (_what, before, now, actions) => {
    const previousState = { value: 'ALARM', ...(before && { actionsSuppressedBy: before }) };
    const state = { ...bridgeAlarm.detail.state, ...(now && { actionsSuppressedBy: now }) };
    const { items } = readAs('cloudwatch', { ...bridgeAlarm, detail: { ...bridgeAlarm.detail, state, previousState } });
    expect(items.map((item) => item.ok && item.action.action)).toEqual(actions);
  });

  test('what one delivery asks of an alarm has two ids', () => {
    const state = { ...bridgeAlarm.detail.state, actionsSuppressedBy: 'Alarm' };
    const detail = { ...bridgeAlarm.detail, state, previousState: { value: 'ALARM' } };
    const { items } = readAs('cloudwatch', { ...bridgeAlarm, detail });
    const ids = items.map((item) => item.ok && 'deliveryId' in item.action && item.action.deliveryId);
    expect(ids).toEqual([`cloudwatch:${bridgeAlarm.id}`, `cloudwatch:${bridgeAlarm.id}#suppress`]);
  });

  test('the id of a message in the headers is not that of each of its alarms', () => {
    const { items } = readAs('cloudwatch', [alarmMessage, bridgeAlarm], {
      headers: { 'x-amz-sns-message-id': 'raw-1' },
    });
    const ids = items.map((item) => item.ok && 'deliveryId' in item.action && item.action.deliveryId);
    expect(ids).toEqual([false, `cloudwatch:${bridgeAlarm.id}`]);
  });

  const attributes = { TableName: 'orders', Operation: 'Query' };
  const alarmContributor = { id: '6d44', attributes };
  const { Trigger: _trigger, ...untriggered } = alarmMessage;
  test.each([
    ['SNS', { ...untriggered, AlarmContributorId: '6d44', AlarmContributorAttributes: attributes }],
    [
      'EventBridge',
      {
        ...bridgeAlarm,
        'detail-type': 'CloudWatch Alarm Contributor State Change',
        detail: { alarmName: 'web-5xx', state: { value: 'ALARM' }, alarmContributor },
      },
    ],
    ['Lambda', { ...lambda, alarmData: { ...lambda.alarmData, alarmContributor } }],
  ])('%s: one of several time series is a condition of its own', (_form, body) => {
    const id = `${ALARM_ARN}#6d44`;
    expect(actionOf('cloudwatch', body)).toMatchObject({
      action: 'open',
      conditionId: `cloudwatch:${id}`,
      draft: {
        sourceId: id,
        ciHints: ['arn:aws:dynamodb:us-east-1:210987654321:table/orders', 'orders', id],
        tags: expect.arrayContaining(['TableName:orders', 'Operation:Query']),
      },
    });
  });

  test.each([
    [{ Role: 'WRITER' }, [ALARM_ARN, 'WRITER']],
    [{ ClusterName: 'shop', Role: 'WRITER' }, ['shop', ALARM_ARN]],
    [{}, [ALARM_ARN]],
  ])('dimensions %p give the names %p', (Dimensions, hints) => {
    expect(draftOf('cloudwatch', { ...alarmMessage, Trigger: { Dimensions } }).ciHints).toEqual(hints);
  });

  test('an envelope as a Lambda function is given it', () => {
    const { SigningCertURL, ...envelope } = snsNotification(alarmMessage);
    const body = { Records: [{ EventSource: 'aws:sns', Sns: { ...envelope, SigningCertUrl: SigningCertURL } }] };
    expect(readAs('cloudwatch', body)).toEqual(readAs('cloudwatch', snsNotification(alarmMessage)));
    expect(() => readAs('cloudwatch', { Records: [...body.Records, ...body.Records] })).toThrow(/Amazon SNS/);
  });

  test('a notification that is no alarm says of what it tells, in an envelope or raw', () => {
    const notice = { 'Event Source': 'db-instance', 'Source ID': 'orders-db', 'Event Message': 'Storage is low' };
    const enveloped = snsNotification(notice, { Subject: 'RDS Notification Message' });
    expect(draftOf('aws', enveloped)).toMatchObject({
      title: 'RDS Notification Message: orders-db Storage is low',
      ciHints: ['orders-db'],
    });
    expect(draftOf('aws', notice, { headers: { 'x-amz-sns-message-type': 'Notification' } }).title).toBe(
      'orders-db Storage is low',
    );
  });

  test('other events of EventBridge', () => {
    expect(
      actionOf('cloudwatch', { ...bridgeAlarm, 'detail-type': 'CloudWatch Alarm Configuration Change' }).action,
    ).toBe('ignore');
    expect(
      actionOf('cloudwatch', { ...bridgeAlarm, 'detail-type': 'AWS Health Event', source: 'aws.health' }),
    ).toMatchObject({
      action: 'open',
      conditionId: null,
      draft: { title: 'AWS Health Event', severity: 'warning' },
    });
  });

  const event = (type: string, resources: string[], detail: unknown) => ({
    ...bridgeAlarm,
    'detail-type': type,
    resources,
    detail,
  });
  const INSTANCE = 'arn:aws:ec2:us-east-1:210987654321:instance/i-0abcd1234';
  const EC2 = 'EC2 Instance State-change Notification';

  test('an event of EventBridge says what happened to which resource', () => {
    const stopped = draftOf('aws', event(EC2, [INSTANCE], { 'instance-id': 'i-0abcd1234', state: 'stopped' }));
    expect(stopped).toMatchObject({
      title: `${EC2}: stopped`,
      hostname: 'i-0abcd1234',
      ciHints: [INSTANCE],
      details: { region: 'us-east-1', accountId: '210987654321' },
    });
    const health = {
      eventTypeCode: 'AWS_EC2_PERSISTENT_INSTANCE_RETIREMENT_SCHEDULED',
      eventDescription: [{ language: 'en_US', latestDescription: 'The hardware is degraded' }],
    };
    expect(draftOf('aws', event('AWS Health Event', ['i-0abcd1234'], health))).toMatchObject({
      title: `AWS Health Event: ${health.eventTypeCode}`,
      description: expect.stringContaining('The hardware is degraded'),
      hostname: 'i-0abcd1234',
    });
  });

  test('an event about several resources is bound to none of them', () => {
    const draft = draftOf('aws', event(EC2, [INSTANCE, 'i-0abcd9999'], { state: 'stopped' }));
    expect(draft.hostname).toBeUndefined();
    expect(draft.ciHints).toBeUndefined();
    expect(draft.details?.resources).toEqual([INSTANCE, 'i-0abcd9999']);
  });

  test('Lambda', () => {
    expect(actionOf('cloudwatch', lambda)).toMatchObject({
      action: 'open',
      conditionId: `cloudwatch:${ALARM_ARN}`,
      draft: { title: 'web-5xx' },
    });
    const ok = { ...lambda, alarmData: { ...lambda.alarmData, state: { value: 'OK' } } };
    expect(actionOf('cloudwatch', ok).action).toBe('resolve');
  });

  test('an unknown state is an error', () => {
    expect(readAs('cloudwatch', { ...alarmMessage, NewStateValue: 'MAYBE' }).items).toEqual([
      { ok: false, error: expect.stringContaining('INSUFFICIENT_DATA'), problems: expect.any(Array) },
    ]);
  });
});
