/** Nagios, Naemon, Icinga 1 and 2: notification commands that post JSON (inbound body "network and host monitor"). */
import type { MonitorAction } from '#domain/event/draft.ts';
import { invalid } from '#domain/fault.ts';
import { hostAddressAmong } from './hosts.ts';
import { type About, bodiesOf, change, ignore, open, readEach } from './items.ts';
import { isGood, kindOf, type Notification, notificationOf, STATES } from './nagios-notification.ts';
import { rate, type Scale, type SeverityTable } from './severity.ts';
import type { Delivered, InboundSettings, Source } from './source.ts';
import { firstLine, joined } from './text.ts';

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
  // A service that flaps is a complaint even in the moments in which it is well.
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
  if (kind === 'note') return ignore(about.sourceId, `${notification.type} is a note only`);
  if (kind === 'recovery' || (good && (kind === 'problem' || kind === 'end')))
    return change('resolve', about, said, delivered.receivedAt);
  if (kind === 'acknowledgement' || kind === 'suppress' || kind === 'end') {
    // The only message of an outage may be the end of a downtime or of flapping in it.
    const isThere = state !== undefined && !good && !notification.soft;
    const whole = isThere ? complaint(notification, false, item, settings) : undefined;
    return change(MARKS[kind], about, said, delivered.receivedAt, whole);
  }
  if (kind === 'problem' && state === undefined) throw invalid('state', `expected ${STATES.join(', ')}`);
  if (kind === 'problem' && notification.soft) return ignore(about.sourceId, 'a soft state is not yet a problem');
  return open(complaint(notification, kind === 'flapping', item, settings), delivered.receivedAt);
}

export const nagios: Source = {
  name: NAME,
  aliases: ['icinga', 'icinga2', 'naemon'],
  title: 'Nagios, Icinga, Naemon',
  read: (delivered, settings) => ({
    items: readEach(
      bodiesOf(delivered.body, 'an object with notification_type, hostname, service, state and output'),
      (item) => read(item, delivered, settings),
    ),
  }),
};
