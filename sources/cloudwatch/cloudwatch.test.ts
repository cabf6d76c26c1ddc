import { describe, expect, test } from '@jest/globals';
import {
  ALARM_ARN,
  actionOf,
  alarmMessage,
  alertmanagerMessage,
  bridgeAlarm,
  draftOf,
  readAs,
  snsNotification,
  TOPIC,
} from '../samples-for-tests.ts';

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
    ).toMatchObject({ action: 'open', conditionId: null, draft: { title: 'AWS Health Event', severity: 'warning' } });
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

  test('a state that nobody knows is told, and is no further problem', () => {
    expect(actionOf('cloudwatch', { ...alarmMessage, NewStateValue: 'MAYBE' })).toMatchObject({
      action: 'update',
      conditionId: `cloudwatch:${ALARM_ARN}`,
      draft: { tags: expect.arrayContaining(['unknown-state']), details: { unknownState: 'MAYBE' } },
    });
    expect(readAs('cloudwatch', { ...alarmMessage, NewStateValue: undefined }).items[0]?.ok).toBe(false);
  });

  test('an alarm that is deleted is over', () => {
    const type = 'CloudWatch Alarm Configuration Change';
    const of = (operation: string) => actionOf('aws', event(type, [ALARM_ARN], { ...bridgeAlarm.detail, operation }));
    expect(of('delete')).toMatchObject({ action: 'resolve', conditionId: `cloudwatch:${ALARM_ARN}` });
    expect(of('update').action).toBe('ignore');
  });

  const metric = (id: string) => ({
    MetricStat: {
      Metric: { Dimensions: [{ name: 'InstanceId', value: id }], MetricName: 'CPU', Namespace: 'AWS/EC2' },
    },
  });
  const fleet = (NewStateValue: string, ...ids: string[]) => {
    const Trigger = { Metrics: [{ Expression: 'm1+m2', Id: 'e1' }, ...ids.map(metric)] };
    const body = snsNotification({ ...alarmMessage, NewStateValue, Trigger });
    return readAs('aws', body).items.flatMap((item) => (item.ok ? [item.action] : []));
  };
  const idsOf = (actions: ReturnType<typeof fleet>, field: 'conditionId' | 'deliveryId') =>
    actions.map((action) => (action as Partial<Record<typeof field, string>>)[field]);
  test('metric math over two machines is an event of each, and its end ends both', () => {
    const alarm = fleet('ALARM', 'i-0a', 'i-0b');
    expect(alarm).toMatchObject([
      { action: 'open', draft: { hostname: 'i-0a', tags: ['InstanceId:i-0a'] } },
      { action: 'open', draft: { hostname: 'i-0b', tags: ['InstanceId:i-0b'] } },
    ]);
    for (const field of ['conditionId', 'deliveryId'] as const) expect(new Set(idsOf(alarm, field)).size).toBe(2);
    const ok = fleet('OK', 'i-0a', 'i-0b');
    expect(ok.map(({ action }) => action)).toEqual(['resolve', 'resolve']);
    expect(idsOf(ok, 'conditionId')).toEqual(idsOf(alarm, 'conditionId'));
    expect(idsOf(fleet('ALARM', 'i-0a', 'i-0a'), 'conditionId')).toEqual([`cloudwatch:${ALARM_ARN}`]);
  });

  const TASK = { taskArn: 'arn:task/1', clusterArn: 'arn:c', group: 'service:web' };
  const DONE = [{ exitCode: 0 }];
  test.each([
    [EC2, [INSTANCE], { state: 'stopped' }, 'open', `${EC2}#${INSTANCE}`],
    [EC2, [INSTANCE], { state: 'pending' }, 'ignore', null],
    [EC2, [INSTANCE], { state: 'running' }, 'resolve', `${EC2}#${INSTANCE}`],
    ['AWS Health Event', [], { eventArn: 'arn:h', statusCode: 'open' }, 'open', 'health#arn:h'],
    ['AWS Health Event', [], { eventArn: 'arn:h', statusCode: 'closed' }, 'resolve', 'health#arn:h'],
    ['AWS Health Event', [], { eventArn: 'arn:h', statusCode: 'upcoming' }, 'open', 'health#arn:h'],
    ['AWS Health Event', [], { eventArn: 'arn:h', endTime: '2026-11-21T05:00:00Z' }, 'resolve', 'health#arn:h'],
    ['ECS Task State Change', ['arn:task/1'], { ...TASK, lastStatus: 'RUNNING' }, 'resolve', 'ecs#arn:c#service:web'],
    ['ECS Task State Change', ['arn:task/1'], { ...TASK, lastStatus: 'PENDING' }, 'ignore', null],
    ['ECS Task State Change', ['arn:task/1'], { ...TASK, lastStatus: 'STOPPED' }, 'open', 'ecs#arn:c#service:web'],
    ['ECS Task State Change', ['x'], { ...TASK, lastStatus: 'STOPPED', containers: DONE }, 'ignore', null],
    ['ECS Service Action', ['arn:s'], { eventType: 'INFO', eventName: 'SERVICE_STEADY_STATE' }, 'resolve', 'ecs#arn:s'],
    [
      'ECS Service Action',
      ['arn:s'],
      { eventType: 'WARN', eventName: 'SERVICE_TASK_START_IMPAIRED' },
      'open',
      'ecs#arn:s',
    ],
    [
      'CodeBuild Build State Change',
      ['arn:b'],
      { 'build-status': 'SUCCEEDED' },
      'resolve',
      'CodeBuild Build State Change#arn:b',
    ],
    [
      'CodeBuild Build State Change',
      ['arn:b'],
      { 'build-status': 'FAILED' },
      'open',
      'CodeBuild Build State Change#arn:b',
    ],
    ['Batch Job State Change', ['arn:j'], { status: 'RUNNABLE' }, 'ignore', null],
  ])('%s of %p with %p asks to %s', (type, resources, detail, asked, key) => {
    const action = actionOf('aws', event(type, resources, detail));
    expect(action.action).toBe(asked);
    if (key !== null) expect(action).toMatchObject({ conditionId: `cloudwatch:${key}` });
  });

  test('a task says why it was stopped', () => {
    const detail = {
      ...TASK,
      lastStatus: 'STOPPED',
      stoppedReason: 'Essential container in task exited',
      stopCode: 'x',
    };
    expect(draftOf('aws', event('ECS Task State Change', ['arn:task/1'], detail))).toMatchObject({
      title: 'ECS Task State Change: STOPPED: Essential container in task exited',
      description: expect.stringContaining('Essential container'),
    });
  });

  test('findings of Security Hub have titles and ends of their own', () => {
    const finding = (more: object) => ({
      Id: 'f-1',
      Title: 'S3 bucket is public',
      Description: 'Anyone may read it',
      Severity: { Label: 'HIGH' },
      Resources: [{ Id: 'arn:aws:s3:::b' }],
      ...more,
    });
    const findings = [
      finding({ Workflow: { Status: 'NEW' }, RecordState: 'ACTIVE' }),
      finding({ Id: 'f-2', Workflow: { Status: 'RESOLVED' } }),
      finding({ Id: 'f-3', RecordState: 'ARCHIVED' }),
    ];
    const { items } = readAs('aws', event('Security Hub Findings - Imported', ['arn:f'], { findings }));
    expect(items.map((item) => item.ok && item.action)).toMatchObject([
      {
        action: 'open',
        conditionId: 'cloudwatch:finding#f-1',
        draft: {
          title: 'Security Hub Findings - Imported: S3 bucket is public',
          severity: 'major',
          ciHints: ['arn:aws:s3:::b'],
        },
      },
      { action: 'resolve', conditionId: 'cloudwatch:finding#f-2' },
      { action: 'resolve', conditionId: 'cloudwatch:finding#f-3' },
    ]);
  });

  const listed =
    'Alerts Firing:\nLabels:\n - alertname = NodeDown\n - instance = db-1:9100\nAnnotations:\nSource: http://p\n';
  test('a text of Alertmanager begins and ends by the word in its brackets', () => {
    const fired = actionOf('aws', snsNotification(listed, { Subject: '[FIRING:1] NodeDown (db-1 page)' }));
    expect(fired).toMatchObject({
      action: 'open',
      draft: { hostname: 'db-1', title: '[FIRING:1] NodeDown (db-1 page)' },
    });
    const over = actionOf('aws', snsNotification('Alerts Resolved:', { Subject: '[RESOLVED] NodeDown (db-1)' }));
    const idOf = (action: typeof fired) => 'conditionId' in action && action.conditionId;
    expect(over.action).toBe('resolve');
    expect(idOf(over)).toBe(idOf(fired));
    const other = actionOf('aws', snsNotification(listed, { Subject: '[FIRING:2] DiskFull (db-1)' }));
    expect(idOf(other)).not.toBe(idOf(fired));
    expect(actionOf('aws', snsNotification('[RESOLVED] NodeDown', { Subject: undefined })).action).toBe('resolve');
    expect(actionOf('aws', snsNotification('x', { Subject: '[prod] Nightly report' })).action).toBe('open');
  });

  test('the webhook body of Alertmanager inside SNS, and one with a status', () => {
    const { items } = readAs('aws', snsNotification(alertmanagerMessage));
    expect(items).toMatchObject([{ action: { action: 'open', conditionId: 'prometheus:00aa11bb22cc33dd' } }]);
    const of = (status: string) =>
      actionOf('aws', snsNotification({ status, alertname: 'NodeDown', message: 'down', labels: { host: 'db-1' } }));
    expect(of('firing')).toMatchObject({ action: 'open', draft: { hostname: 'db-1' } });
    expect(of('resolved').action).toBe('resolve');
  });
});
