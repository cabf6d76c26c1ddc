/** The configuration of each monitor that makes it post here; the same as in docs/sources.md, which has the rest. */
import { testBodyOf } from './test-bodies.ts';

/** In the place of the token, which is shown once and nowhere else. */
export const TOKEN_PLACE = 'flt_…';

export interface Snippet {
  /** Where it goes. */
  readonly title: string;
  readonly language: 'sh' | 'yaml' | 'json' | 'text';
  readonly text: string;
}
/** How a monitor gives the token: in a header, in the address as a password, or as `?token=`. */
export type Carries = 'header' | 'password' | 'query';

interface Setup {
  readonly carries: Carries;
  readonly snippets: (address: string, base: string) => readonly Snippet[];
}

const sh = (title: string, text: string): Snippet => ({ title, language: 'sh', text });
const withPassword = (address: string): string => address.replace('://', `://x:${TOKEN_PLACE}@`);

/** Where the configuration names a file. */
const tokenFile = (path: string, reader: string): Snippet =>
  sh(`The file with the token, as ${reader}`, `(umask 077 && echo '${TOKEN_PLACE}' > ${path})`);

/** The same text for so long, ms: who selects it by hand keeps the selection. */
const SAME_MS = 60_000;
const BY_HAND = 'Sent from a shell, to see that the way is open.';
const bodyByHand = (name: string, now: number): string => {
  const at = now - (now % SAME_MS);
  return JSON.stringify(testBodyOf(name, { serial: `by-hand-${at / SAME_MS}`, at, what: BY_HAND }).body);
};

interface Tried {
  readonly name: string;
  readonly address: string;
  readonly carries: Carries;
  readonly now: number;
}

/** For those who want to see something arrive before they change a configuration. */
const fromShell = ({ name, address, carries, now }: Tried): Snippet => {
  const to = carries === 'query' ? `'${address}?token=${TOKEN_PLACE}'` : address;
  const header = carries === 'header' ? ` -H 'Authorization: Bearer ${TOKEN_PLACE}'` : '';
  return sh(
    'To try it from a shell: what the monitor would send, of a host that does not exist',
    `curl -s ${carries === 'password' ? withPassword(address) : to}${header} -H 'Content-Type: application/json' -d '${bodyByHand(name, now)}'`,
  );
};

const nagios: Setup = {
  carries: 'header',
  snippets: (address) => [
    tokenFile('/etc/faultline.token', 'the user of the monitor'),
    sh(
      '/usr/local/bin/notify-faultline, which reads the token from /etc/faultline.token',
      `#!/bin/sh
# /usr/local/bin/notify-faultline NAME=VALUE…: one field of the notification each. Needs jq, and curl 7.76 or newer.
for field; do
  set -- "$@" --arg "\${field%%=*}" "\${field#*=}"
  shift
done
jq -n "$@" '$ARGS.named' |
curl -sS --fail-with-body -m 15 -H "Authorization: Bearer $(cat /etc/faultline.token)" -H 'Content-Type: application/json' \\
  --data-binary @- ${address}`,
    ),
    {
      title: 'Nagios and Naemon: an object file',
      language: 'text',
      text: `define command {
  command_name  notify-faultline
  command_line  /usr/local/bin/notify-faultline notification_type='$NOTIFICATIONTYPE$' hostname='$HOSTNAME$' host_address='$HOSTADDRESS$' host_state='$HOSTSTATE$' host_state_type='$HOSTSTATETYPE$' host_output='$HOSTOUTPUT$' host_ack_author='$HOSTACKAUTHOR$' host_ack_comment='$HOSTACKCOMMENT$' service='$SERVICEDESC$' service_state='$SERVICESTATE$' service_state_type='$SERVICESTATETYPE$' service_output='$SERVICEOUTPUT$' service_ack_author='$SERVICEACKAUTHOR$' service_ack_comment='$SERVICEACKCOMMENT$' timestamp='$TIMET$'
}
define contact {
  contact_name                   faultline
  host_notification_commands     notify-faultline
  service_notification_commands  notify-faultline
  host_notification_period       24x7
  service_notification_period    24x7
  host_notification_options      d,u,r,f,s
  service_notification_options   w,u,c,r,f,s
}`,
    },
  ],
};

const zabbix: Setup = {
  carries: 'header',
  snippets: (_, base) => [
    {
      title: 'Global macros, after the import of infra/deploy/zabbix/media-faultline.yaml',
      language: 'text',
      text: `{$FAULTLINE.URL}    ${base}\n{$FAULTLINE.TOKEN}  ${TOKEN_PLACE}`,
    },
  ],
};

const prometheus: Setup = {
  carries: 'header',
  snippets: (address) => [
    tokenFile('/etc/alertmanager/faultline.token', 'the user of Alertmanager'),
    {
      title: 'alertmanager.yml; name the receiver in a route',
      language: 'yaml',
      text: `receivers:
  - name: faultline
    webhook_configs:
      - url: ${address}
        send_resolved: true
        max_alerts: 2000
        http_config: { authorization: { credentials_file: /etc/alertmanager/faultline.token } }`,
    },
  ],
};

const grafana: Setup = {
  carries: 'header',
  snippets: (address) => [
    {
      title: 'The environment of Grafana',
      language: 'text',
      text: `FAULTLINE_WEBHOOK_TOKEN=${TOKEN_PLACE}`,
    },
    {
      title: 'A file in provisioning/alerting/',
      language: 'yaml',
      text: `apiVersion: 1
contactPoints:
  - orgId: 1
    name: faultline
    receivers:
      - uid: faultline
        type: webhook
        disableResolveMessage: false
        settings:
          url: ${address}
          httpMethod: POST
          authorization_scheme: Bearer
          authorization_credentials: $FAULTLINE_WEBHOOK_TOKEN`,
    },
  ],
};

const cloudwatch: Setup = {
  carries: 'password',
  snippets: (address) => [
    sh(
      'An SNS topic, to which alarms send ALARM and OK',
      `TOPIC=$(aws sns create-topic --name faultline --query TopicArn --output text)
aws sns subscribe --topic-arn "$TOPIC" --protocol https \\
  --notification-endpoint "${withPassword(address)}"
aws cloudwatch put-metric-alarm --alarm-name web-5xx … --alarm-actions "$TOPIC" --ok-actions "$TOPIC"`,
    ),
  ],
};

const azure: Setup = {
  carries: 'query',
  snippets: (address) => [
    sh(
      'An action group',
      `az monitor action-group create --resource-group monitoring --name faultline --short-name faultline \\
  --action webhook faultline "${address}?token=${TOKEN_PLACE}" usecommonalertschema`,
    ),
  ],
};

const gcp: Setup = {
  carries: 'password',
  snippets: (address) => [
    sh(
      'A notification channel',
      `cat > channel.json <<END
{ "type": "webhook_basicauth", "displayName": "Faultline",
  "labels": { "url": "${address}", "username": "x" },
  "sensitiveLabels": { "password": "${TOKEN_PLACE}" } }
END
CHANNEL=$(gcloud beta monitoring channels create --channel-content-from-file=channel.json --format='value(name)'); rm channel.json
gcloud alpha monitoring policies update POLICY --add-notification-channels="$CHANNEL"`,
    ),
  ],
};

const datadog: Setup = {
  carries: 'header',
  snippets: (address) => [
    { title: 'Integrations → Webhooks: URL', language: 'text', text: address },
    { title: 'Custom headers', language: 'json', text: `{"Authorization": "Bearer ${TOKEN_PLACE}"}` },
    {
      title: 'Payload',
      language: 'json',
      text: `{
  "id": "$ID", "title": "$EVENT_TITLE", "body": "$TEXT_ONLY_MSG", "date": "$DATE",
  "alert_id": "$ALERT_ID", "alert_cycle_key": "$ALERT_CYCLE_KEY", "aggreg_key": "$AGGREG_KEY",
  "alert_transition": "$ALERT_TRANSITION", "alert_type": "$ALERT_TYPE", "alert_priority": "$ALERT_PRIORITY",
  "alert_status": "$ALERT_STATUS", "alert_scope": "$ALERT_SCOPE", "alert_query": "$ALERT_QUERY",
  "hostname": "$HOSTNAME", "tags": "$TAGS", "link": "$LINK", "snapshot": "$SNAPSHOT"
}`,
    },
  ],
};

const pagerduty: Setup = {
  carries: 'query',
  snippets: (address) => [
    {
      title: 'Instead of https://events.pagerduty.com/v2/enqueue',
      language: 'text',
      text: `${address}?token=${TOKEN_PLACE}`,
    },
  ],
};

const cloudevents: Setup = {
  carries: 'header',
  snippets: (address) => [
    sh(
      'An event',
      `curl -s ${address} -H "Authorization: Bearer ${TOKEN_PLACE}" -H 'Content-Type: application/cloudevents+json' -d '{
  "specversion": "1.0", "id": "1", "source": "/robots/7", "type": "com.example.robot.alert.firing", "subject": "arm",
  "data": { "title": "Arm is stuck", "severity": "major", "hostname": "robot-7" } }'`,
    ),
  ],
};

const otel: Setup = {
  carries: 'header',
  snippets: (address) => [
    {
      title: 'Configuration of the collector',
      language: 'yaml',
      text: `exporters:
  otlphttp/faultline:
    endpoint: ${address}
    encoding: json
    headers: { Authorization: "Bearer ${TOKEN_PLACE}" }
service:
  pipelines:
    logs/faultline:
      receivers: [otlp]
      exporters: [otlphttp/faultline]`,
    },
  ],
};

const SETUPS: Readonly<Record<string, Setup>> = {
  nagios,
  zabbix,
  prometheus,
  grafana,
  cloudwatch,
  azure,
  gcp,
  datadog,
  pagerduty,
  cloudevents,
  otel,
};

/** A body signed by AWS cannot be sent by hand, and a shell sends the event of CloudEvents already. */
const NOT_BY_HAND: ReadonlySet<string> = new Set(['cloudwatch', 'cloudevents']);

interface Asked {
  /** The canonical name of the source. */
  readonly name: string;
  readonly address: string;
  /** The address of this server, without a path. */
  readonly base: string;
  /** ms. */
  readonly now: number;
}

/** The configuration that is pasted at a monitor. */
export const setupOf = ({ name, address, base, now }: Asked) => {
  const setup = SETUPS[name];
  if (setup === undefined) throw new Error(`no snippet of ${name}`);
  const { carries, snippets } = setup;
  return {
    carries,
    snippets: [
      ...snippets(address, base),
      ...(NOT_BY_HAND.has(name) ? [] : [fromShell({ name, address, carries, now })]),
    ],
  };
};

/** Of a sender that no webhook is for. */
export const plainSetup = (name: string, address: string): { carries: Carries; snippets: readonly Snippet[] } => ({
  carries: 'header',
  snippets: [
    sh(
      'An event',
      `curl -s ${address} -H "Authorization: Bearer ${TOKEN_PLACE}" -H 'Content-Type: application/json' -d '${JSON.stringify({ source: name, sourceId: 'backup/nightly', severity: 'major', title: 'Nightly backup failed', hostname: 'backup-1' }).replaceAll("'", "'\\''")}'`,
    ),
  ],
});

/** Of a source that the tenant has mapped: whatever its monitoring system can post. */
export const mappedSetup = (address: string): { carries: Carries; snippets: readonly Snippet[] } => ({
  carries: 'header',
  snippets: [
    sh(
      'To try it from a shell: a body of the monitoring system in a file',
      `curl -s ${address} -H "Authorization: Bearer ${TOKEN_PLACE}" -H 'Content-Type: application/json' --data-binary @sample.json`,
    ),
  ],
});
