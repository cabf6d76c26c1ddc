import { anything, body, iso, type SourceCard, sh, text, titleOf, withPassword } from '../kit/card.ts';

export const card: SourceCard = {
  body: body(
    'CloudWatchBody',
    {
      Type: text,
      MessageId: text,
      TopicArn: text,
      Subject: text,
      Message: text,
      Timestamp: text,
      SignatureVersion: text,
      Signature: text,
      SigningCertURL: text,
      SubscribeURL: text,
      source: text,
      'detail-type': text,
      detail: anything,
      AlarmName: text,
      NewStateValue: text,
    },
    {
      source: 'aws.cloudwatch',
      'detail-type': 'CloudWatch Alarm State Change',
      account: '210987654321',
      time: '2026-11-21T11:38:17Z',
      region: 'us-east-1',
      detail: { alarmName: 'web-5xx', state: { value: 'ALARM', reason: 'Threshold Crossed' } },
    },
  ),
  carries: 'password',
  snippets: (address) => [
    sh(
      'SNS topic that receives ALARM and OK notifications',
      `TOPIC=$(aws sns create-topic --name faultline --query TopicArn --output text)
aws sns subscribe --topic-arn "$TOPIC" --protocol https \\
  --notification-endpoint "${withPassword(address)}"
aws cloudwatch put-metric-alarm --alarm-name web-5xx … --alarm-actions "$TOPIC" --ok-actions "$TOPIC"`,
    ),
  ],
  test: (test) => ({
    version: '0',
    id: test.serial,
    'detail-type': 'CloudWatch Alarm State Change',
    source: 'aws.cloudwatch',
    time: iso(test),
    region: 'us-east-1',
    resources: [`arn:aws:cloudwatch:us-east-1:000000000000:alarm:${test.serial}`],
    detail: {
      alarmName: titleOf(test),
      configuration: { description: `${test.what} [severity=info]` },
      state: { value: 'ALARM', reason: test.what, timestamp: iso(test) },
    },
  }),
  byHand: false,
};
