import { anything, body, HOST, type SourceCard, seconds, sh, TOKEN_PLACE, text, titleOf } from '../kit/card.ts';

export const card: SourceCard = {
  body: body(
    'GoogleCloudBody',
    { version: text, incident: anything },
    {
      version: '1.2',
      incident: { incident_id: '0.abc', state: 'open', severity: 'Error', summary: 'Uptime check failed' },
    },
  ),
  carries: 'password',
  snippets: (address) => [
    sh(
      'Notification channel',
      `cat > channel.json <<END
{ "type": "webhook_basicauth", "displayName": "Faultline",
  "labels": { "url": "${address}", "username": "x" },
  "sensitiveLabels": { "password": "${TOKEN_PLACE}" } }
END
CHANNEL=$(gcloud beta monitoring channels create --channel-content-from-file=channel.json --format='value(name)'); rm channel.json
gcloud alpha monitoring policies update POLICY --add-notification-channels="$CHANNEL"`,
    ),
  ],
  test: (test) => ({
    version: '1.2',
    incident: {
      incident_id: test.serial,
      state: 'open',
      severity: 'Warning',
      started_at: seconds(test),
      summary: titleOf(test),
      resource: { type: 'gce_instance', labels: { instance_name: HOST } },
      policy_name: titleOf(test),
      documentation: { content: test.what },
    },
  }),
  byHand: true,
};
