/** Nagios, Naemon, Icinga 1 and 2: notification commands that post JSON (inbound body "network and host monitor"). */

import { z } from 'zod';
import type { MonitorAction } from '#domain/event/draft.ts';
import { isPlaceholder } from '#domain/event/placeholder.ts';
import { invalid } from '#domain/fault.ts';
import { isRecord } from '#domain/record-of.ts';
import { body, HOST, type SourceCard, seconds, sh, text, titleOf, tokenFile } from '../kit/card.ts';
import { hostAddressAmong } from '../kit/hosts.ts';
import { type About, bodiesOf, change, ignore, open, readEach } from '../kit/items.ts';
import { rate, type Scale, type SeverityTable } from '../kit/severity.ts';
import { plainKeys } from '../kit/shapes.ts';
import type { Delivered, InboundSettings, MonitorSource } from '../kit/source.ts';
import { expandedOf, first, firstLine, joined, textOf } from '../kit/text.ts';
import { timeOf } from '../kit/time.ts';

/** A notification of Nagios or Icinga in any of its spellings, read into one. */

const STATES = ['OK', 'UP', 'WARNING', 'UNKNOWN', 'CRITICAL', 'DOWN', 'UNREACHABLE'] as const;
const SERVICE_NUMBERS = ['OK', 'WARNING', 'CRITICAL', 'UNKNOWN'];
const HOST_NUMBERS = ['UP', 'DOWN', 'UNREACHABLE'];
/** Icinga 2 has the states of services in host checks, too. */
const HOST_CHECKS: ReadonlyMap<string, string> = new Map([
  ['OK', 'UP'],
  ['WARNING', 'UP'],
  ['CRITICAL', 'DOWN'],
  ['UNKNOWN', 'DOWN'],
]);

type Kind = 'problem' | 'recovery' | 'acknowledgement' | 'suppress' | 'end' | 'flapping' | 'note';
const kinds = (kind: Kind, names: string) => names.split(' ').map((name) => [name, kind] as const);
/** Kinds by name without `_` and blanks; the numbers are those of Icinga 2's own notification types. */
const KINDS: ReadonlyMap<string, Kind> = new Map([
  ...kinds('problem', 'PROBLEM 32'),
  ...kinds('recovery', 'RECOVERY 64'),
  ...kinds('acknowledgement', 'ACKNOWLEDGEMENT ACKNOWLEDGMENT 16'),
  ...kinds('flapping', 'FLAPPINGSTART 128'),
  ...kinds('suppress', 'DOWNTIMESTART 1'),
  ...kinds('end', 'FLAPPINGSTOP FLAPPINGEND 256 DOWNTIMEEND 2 DOWNTIMEREMOVED 4 DOWNTIMECANCELLED DOWNTIMECANCELED'),
  ...kinds('note', 'CUSTOM 8 FLAPPINGDISABLED'),
]);

interface Notification {
  readonly type: string | undefined;
  readonly host: string;
  readonly display: string | undefined;
  readonly address: string | undefined;
  readonly service: string | undefined;
  readonly state: string | undefined;
  readonly soft: boolean;
  readonly output: string | undefined;
  readonly long: string | undefined;
  readonly time: number | undefined;
  readonly attempt: string | undefined;
  readonly author: string | undefined;
  readonly comment: string | undefined;
  readonly groups: readonly string[];
  readonly application: string | undefined;
  readonly environment: string | undefined;
}

/** The first of several fields, by their plain names, that holds text other than an unexpanded macro. */
const pickIn =
  (fields: Readonly<Record<string, unknown>>) =>
  (...names: readonly string[]): string | undefined =>
    first(...names.map((name) => expandedOf(fields[name])));
type Pick = ReturnType<typeof pickIn>;

/** Icinga 2 nests: `host`, `service`, `notification` and `check_result` are objects. */
const nested = (value: unknown): Pick => pickIn(isRecord(value) ? plainKeys(value) : {});
/** A name given as text or as an object. */
const named = (value: unknown): string | undefined =>
  expandedOf(value) ?? nested(value)('name', 'hostname', 'servicename', 'servicedescription', 'description');

/** Environment macros start with NAGIOS_ or ICINGA_, runtime macros of Icinga 2 with icinga. */
const PREFIX = /^(?:NAGIOS|ICINGA2?)[_.]/i;
const TIMES = ['timestamp', 'timet', 'time', 'datetime', 'eventtime', 'longdatetime', 'shortdatetime'];

/** Throws Fault `invalid` without a host, and for a state that is none. */
function notificationOf(item: Readonly<Record<string, unknown>>): Notification {
  const fields = plainKeys(item, PREFIX);
  const pick = pickIn(fields);
  const check = nested(fields.checkresult);
  const inHost = nested(fields.host);
  const inNotification = nested(fields.notification);
  const sent = named(fields.service) ?? pick('servicedesc', 'servicedescription', 'servicename');
  const service = sent !== undefined && isPlaceholder(sent) ? undefined : sent;
  const host = pick('hostname') ?? named(fields.host);
  if (host === undefined) throw invalid('hostname', 'expected the name of the host');
  // The macro of a kind that counts: a service's notification also carries the state of its host.
  const own = service === undefined ? 'host' : 'service';
  const inOwn = nested(fields[own]);
  const stateType = pick(`${own}statetype`, 'statetype') ?? check('statetype') ?? inOwn('statetype');
  return {
    type: typeOf(pick) ?? inNotification('type', 'notificationtype'),
    host,
    display: pick('hostdisplayname') ?? inHost('displayname') ?? pick('hostalias'),
    address:
      pick('hostaddress', 'address', 'ipaddress', 'hostip') ??
      inHost('address') ??
      pick('hostaddress6') ??
      inHost('address6'),
    service,
    state: stateOf(pick, own, inOwn, check),
    soft: stateType !== undefined && /^(?:soft|0(?:\.0)?)$/i.test(stateType),
    output: pick(`${own}output`, 'output', 'pluginoutput') ?? check('output') ?? inOwn('output', 'pluginoutput'),
    long: (pick(`long${own}output`, 'longoutput') ?? check('longoutput'))?.replaceAll('\\n', '\n'),
    time: first(...TIMES.map((name) => timeOf(fields[name])), timeOf(check('executionend'))),
    attempt: pick(`${own}attempt`, 'attempt') ?? check('attempt'),
    author:
      pick('author', 'notificationauthor', 'notificationauthorname', `${own}ackauthor`, 'ackauthor') ??
      inNotification('author'),
    // The event stream of Icinga 2 calls the comment `text`.
    comment:
      pick('comment', 'notificationcomment', `${own}ackcomment`, 'ackcomment', 'text') ?? inNotification('comment'),
    groups: groupsOf(pick('hostgroupnames', 'hostgroupname') ?? fields.hostgroups),
    application: pick('application', 'app'),
    environment: pick('environment', 'env'),
  };
}

/** `type` is also the name of other things; it counts only when it holds a kind of notification. */
function typeOf(pick: Pick): string | undefined {
  const general = pick('type');
  return pick('notificationtype') ?? (general !== undefined && kindNamed(general) ? general : undefined);
}

const groupsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value.slice(0, 50) : (textOf(value) ?? '').split(','))
    .map((one) => textOf(one))
    .filter((name) => name !== undefined);

/** The state's word in capitals. */
function stateOf(pick: Pick, own: 'host' | 'service', inOwn: Pick, check: Pick): string | undefined {
  const isService = own === 'service';
  const direct = pick(`${own}state`, 'state', `${own}stateid`) ?? inOwn('state');
  if (direct !== undefined) return knownState(direct, isService ? SERVICE_NUMBERS : HOST_NUMBERS);
  const checked = check('state', 'exitstatus');
  const state = checked === undefined ? undefined : knownState(checked, SERVICE_NUMBERS);
  return isService || state === undefined ? state : (HOST_CHECKS.get(state) ?? state);
}

function knownState(sent: string, numbers: readonly string[]): string {
  const word = (/^\d(?:\.0+)?$/.test(sent) ? numbers[Number(sent)] : sent)?.toUpperCase();
  if (word !== undefined && STATES.some((state) => state === word)) return word;
  throw invalid('state', `expected ${STATES.join(', ')} or their number, got ${sent.slice(0, 60)}`);
}

const kindNamed = (type: string): Kind | undefined => KINDS.get(type.toUpperCase().replace(/[^A-Z0-9]/g, ''));

/** Throws Fault `invalid` for an unknown type; without one the state decides. */
function kindOf({ type, state }: Notification): Kind {
  if (type === undefined) return isGood(state) ? 'recovery' : 'problem';
  const kind = kindNamed(type);
  if (kind !== undefined) return kind;
  const known = 'PROBLEM, RECOVERY, ACKNOWLEDGEMENT, CUSTOM or a FLAPPING… or DOWNTIME… type';
  throw invalid('notification_type', `expected ${known}, got ${type.slice(0, 60)}`);
}

const isGood = (state: string | undefined): boolean => state === 'OK' || state === 'UP';

/** Icinga 2 may send its whole objects. */
const textOrObject = z.union([z.string(), z.record(z.string(), z.unknown())]).optional();

const card: SourceCard = {
  body: body(
    'NagiosNotification',
    {
      notification_type: text,
      hostname: text,
      address: text,
      host: textOrObject,
      service: textOrObject,
      state: text,
      output: text,
      long_output: text,
      author: text,
      comment: text,
      timestamp: z.union([z.number(), z.string()]).optional(),
    },
    {
      notification_type: 'PROBLEM',
      hostname: 'mail-02',
      service: 'SMTP',
      state: 'CRITICAL',
      output: 'SMTP CRITICAL - 12.4 s response time',
      timestamp: 1_795_261_097,
    },
  ),
  carries: 'header',
  snippets: (address) => [
    tokenFile('/etc/faultline.token', 'the monitoring user'),
    sh(
      '/usr/local/bin/notify-faultline (reads the token from /etc/faultline.token)',
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
      title: 'Nagios and Naemon object file',
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
  test: (test) => ({
    notification_type: 'PROBLEM',
    hostname: HOST,
    service: titleOf(test),
    service_state: 'WARNING',
    service_output: test.what,
    timestamp: seconds(test),
  }),
  byHand: true,
};

const NAME = 'nagios';

const SEVERITIES: SeverityTable = {
  ok: 'info',
  up: 'info',
  warning: 'warning',
  unknown: 'minor',
  critical: 'critical',
  down: 'critical',
  unreachable: 'major',
};
const SCALE: Scale = { source: NAME, table: SEVERITIES, fallback: 'warning' };
/** Never the problem id: it differs on recovery, and between the nodes of a cluster. */
const aboutOf = (notification: Notification): About => ({
  source: NAME,
  sourceId: `${notification.host}/${notification.service ?? '_HOST_'}`,
});

function complaint(notification: Notification, flapping: boolean, item: unknown, settings: InboundSettings) {
  const { host, display, address, service, state, output, groups } = notification;
  // A flapping service is a problem even in its healthy moments.
  const rated =
    flapping && isGood(state)
      ? { severity: 'warning' as const, word: state ?? '', unknown: false }
      : rate(SCALE, state, settings);
  const what = flapping ? 'flapping' : (state ?? 'PROBLEM');
  const subject = service ?? 'Host';
  const line = firstLine(output);
  return {
    ...aboutOf(notification),
    rated,
    title: joined(
      [flapping || !line || !service ? `${subject} ${service || flapping ? 'is ' : ''}${what}` : service, line],
      ': ',
    ),
    description: joined([output, notification.long], '\n'),
    time: notification.time,
    place: hostAddressAmong([host, address]),
    belonging: { service, application: notification.application, environment: notification.environment },
    ciHints: [host, display],
    tags: groups.map((group) => `hostgroup:${group}`),
    details: {
      state,
      attempt: notification.attempt,
      displayName: display,
      notificationType: notification.type,
      author: notification.author,
      comment: notification.comment,
    },
    raw: item,
  };
}

const MARKS = { acknowledgement: 'acknowledge', suppress: 'suppress', end: 'unsuppress' } as const;

function read(item: Readonly<Record<string, unknown>>, delivered: Delivered, settings: InboundSettings): MonitorAction {
  const notification = notificationOf(item);
  const kind = kindOf(notification);
  const about = aboutOf(notification);
  const { state, author } = notification;
  const said = { at: notification.time, notes: notification.comment ?? notification.output, author };
  const good = isGood(state);
  if (kind === 'note') return ignore(about.sourceId, `${notification.type} is informational`);
  if (kind === 'recovery' || (good && (kind === 'problem' || kind === 'end')))
    return change('resolve', about, said, delivered.receivedAt);
  if (kind === 'acknowledgement' || kind === 'suppress' || kind === 'end') {
    // The only message of an outage may be the end of a downtime or of flapping in it.
    const isThere = state !== undefined && !good && !notification.soft;
    const whole = isThere ? complaint(notification, false, item, settings) : undefined;
    return change(MARKS[kind], about, said, delivered.receivedAt, whole);
  }
  if (kind === 'problem' && state === undefined) throw invalid('state', `expected ${STATES.join(', ')}`);
  if (kind === 'problem' && notification.soft) return ignore(about.sourceId, 'soft state, not a problem yet');
  return open(complaint(notification, kind === 'flapping', item, settings), delivered.receivedAt);
}

export const nagios: MonitorSource = {
  name: NAME,
  aliases: ['icinga', 'icinga2', 'naemon'],
  title: 'Nagios, Icinga, Naemon',
  read: (delivered, settings) => ({
    items: readEach(
      bodiesOf(delivered.body, 'an object with notification_type, hostname, service, state and output'),
      (item) => read(item, delivered, settings),
    ),
  }),
  card,
};
