/** Amazon CloudWatch: alarms through SNS (signed or raw), EventBridge or a Lambda function; other texts through SNS. */

import type { MonitorAction } from '#domain/event/draft.ts';
import { Fault, invalid } from '#domain/fault.ts';
import { isRecord } from '#domain/record-of.ts';
import { textBefore } from '#domain/text.ts';
import { fnv64 } from '#domain/texts/fnv.ts';
import { readAlertmanager } from '../kit/alertmanager-body.ts';
import { commonLabels } from '../kit/firing-alerts.ts';
import { hostAddressAmong } from '../kit/hosts.ts';
import { type About, type AlertReading, change, ignore, open, readEach, unknownState } from '../kit/items.ts';
import { belongingOf, type Labels, mergeLabels, NO_LABELS, pick } from '../kit/labels.ts';
import {
  belongingOfLabels,
  hintsOfLabels,
  namedLabels,
  placeOfLabels,
  tagsOfLabels,
} from '../kit/prometheus-labels.ts';
import { FREE_WORDS, type Rated, rate } from '../kit/severity.ts';
import { fields, inner, labelMap, text } from '../kit/shapes.ts';
import type { Delivered, InboundSettings, Item, MonitorSource, SourceReading } from '../kit/source.ts';
import { toldBy } from '../kit/state-words.ts';
import { first, firstLine, joined, parsedJson, textOf } from '../kit/text.ts';
import { timeOf } from '../kit/time.ts';
import { type AwsHappening, bridgeEvent, happeningsOf, resourcesOf } from './aws-events.ts';
import { machineNamed, machineTexts, ownerOf, resourceHints } from './aws-resources.ts';
import { card } from './card.ts';
import {
  type Alarm,
  alarmOfBridge,
  alarmOfSns,
  isBridgeEvent,
  isDeletion,
  isLambdaEvent,
  isSnsAlarm,
  isStateChange,
  noticeOf,
} from './cloudwatch-alarm.ts';
import { assertTopic, isSnsEnvelope, outOfRecord, type SnsEnvelope, snsEnvelope } from './sns.ts';

const NAME = 'cloudwatch';

/** A word in the description of an alarm, for accounts that do not propagate tags: `[severity=critical]`. */
const MARK = /\[\s{0,5}severity\s{0,5}[=:]\s{0,5}"?([\w-]{1,40})"?\s{0,5}\]/i;
const TABLE = { ...FREE_WORDS, alarm: 'major', insufficient_data: 'warning' } as const;

/** Origin of a message and data on its delivery. */
interface Carrier {
  readonly settings: InboundSettings;
  readonly receivedAt: number;
  readonly deliveryId: string | undefined;
  readonly topic: string | undefined;
  readonly subject: string | undefined;
  readonly time: number | undefined;
}

/** Tag, then mark in the description, then the state: ALARM is major, INSUFFICIENT_DATA always a warning. */
function ratedOf(alarm: Alarm, state: string, settings: InboundSettings): Rated {
  const said =
    state === 'ALARM'
      ? first(pick(alarm.tags, ['severity', 'priority']), MARK.exec(alarm.description ?? '')?.[1])
      : undefined;
  const fallback = rate({ source: NAME, table: TABLE, fallback: 'major' }, state, settings);
  return said === undefined
    ? fallback
    : rate({ source: NAME, table: TABLE, fallback: fallback.severity }, said, settings);
}

/** An alarm that continues and is suppressed now, or no longer; a new one contains its own status. */
function suppression({ before, suppressedBy, time }: Alarm, about: About, receivedAt: number): MonitorAction[] {
  if (before === undefined || (before.suppressedBy === undefined) === (suppressedBy === undefined)) return [];
  const action = suppressedBy === undefined ? 'unsuppress' : 'suppress';
  // The id of the delivery itself would make it a redelivery of the message that opens the event.
  const deliveryId = about.deliveryId === undefined ? {} : { deliveryId: `${about.deliveryId}#${action}` };
  return [change(action, { ...about, ...deliveryId }, { at: time }, receivedAt)];
}

function readAlarm(alarm: Alarm, carrier: Carrier, item: unknown, isDeleted = false): MonitorAction[] {
  const owner = ownerOf(alarm.arn);
  const region = first(owner.region, alarm.region);
  const account = first(owner.account, alarm.account);
  if (alarm.arn === undefined && alarm.name === undefined) throw invalid('AlarmName', 'expected the name of the alarm');
  const id = alarm.arn ?? [account, region, alarm.name].filter((part) => part !== undefined).join(':');
  const sourceId = alarm.contributor === undefined ? id : `${id}#${alarm.contributor}`;
  const deliveryId = carrier.deliveryId ?? alarm.deliveryId;
  const about = { source: NAME, sourceId, ...(deliveryId !== undefined && { deliveryId }) };
  const machines = machinesOf(alarm);
  const each = machines.map((machine) => ofMachine(about, machine));
  const opened = (one: About, machine: string | undefined) =>
    problemOf(alarm, one, { owner: { ...owner, region, account }, machine, carrier, item });
  const state = alarm.state?.toUpperCase();
  if (state === 'OK' || isDeleted)
    return each.map((one) => change('resolve', one, { at: alarm.time, notes: alarm.reason }, carrier.receivedAt));
  if (state === undefined) throw invalid('NewStateValue', 'expected ALARM, OK or INSUFFICIENT_DATA');
  return each.flatMap((one, index) => {
    const told = opened(one, machines[index]);
    if (state !== 'ALARM' && state !== 'INSUFFICIENT_DATA') return [unknownState(told, state, carrier.receivedAt)];
    return [open(told, carrier.receivedAt), ...suppression(alarm, one, carrier.receivedAt)];
  });
}

/** The machines that the metrics of an alarm name, each by itself; one undefined when they name one or none. */
function machinesOf({ metricDimensions, contributor }: Alarm): readonly (string | undefined)[] {
  if (contributor !== undefined) return [undefined];
  const named = metricDimensions.flatMap(
    (dimensions) => machineTexts(dimensions).find((one) => one !== undefined) ?? [],
  );
  const machines = [...new Set(named)];
  return machines.length > 1 ? machines : [undefined];
}

/** The same alarm about one of its machines. */
const ofMachine = (about: About, machine: string | undefined): About => {
  if (machine === undefined) return about;
  const { source, sourceId, deliveryId } = about;
  return { source, sourceId: `${sourceId}#${machine}`, ...(deliveryId && { deliveryId: `${deliveryId}#${machine}` }) };
};

interface AlarmParts {
  readonly owner: ReturnType<typeof ownerOf>;
  readonly machine: string | undefined;
  readonly carrier: Carrier;
  readonly item: unknown;
}

function problemOf(alarm: Alarm, about: About, { owner, machine, carrier, item }: AlarmParts): AlertReading {
  const isOfMachine = (dimensions: Labels) => machine === undefined || machineTexts(dimensions).includes(machine);
  const dimensions =
    machine === undefined ? alarm.dimensions : mergeLabels(...alarm.metricDimensions.filter(isOfMachine));
  const named = mergeLabels(alarm.tags, dimensions);
  return {
    ...about,
    rated: ratedOf(alarm, alarm.state?.toUpperCase() ?? '', carrier.settings),
    title: alarm.name ?? alarm.arn?.split(':').slice(6).join(':') ?? carrier.subject,
    description: joined([alarm.description, alarm.reason], '\n'),
    time: first(alarm.time, carrier.time),
    place: hostAddressAmong(machineTexts(dimensions)),
    belonging: belongingOf(named),
    ciHints: resourceHints(dimensions, owner, about.sourceId),
    tags: named.tags,
    details: {
      region: owner.region,
      accountId: owner.account,
      state: alarm.state?.toUpperCase(),
      namespace: alarm.namespace,
      metric: alarm.metric,
      reason: alarm.reason,
      alarmRule: alarm.rule,
      triggeringChildren: alarm.children.length > 0 ? alarm.children : undefined,
      actionsSuppressedBy: alarm.suppressedBy,
      topic: carrier.topic,
    },
    ...(alarm.suppressedBy !== undefined && { status: 'suppressed' as const }),
    raw: item,
  };
}

interface Message extends Partial<AwsHappening> {
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly sourceId: string;
  /** ARNs or ids of resources. */
  readonly about?: readonly string[];
  readonly region?: string | undefined;
  readonly account?: string | undefined;
}

/** A message that is no alarm. With a subject it can end, else it declares no condition. */
function readMessage(said: Message, carrier: Carrier, item: unknown): MonitorAction {
  const { about = [], sourceId, title, description, key, severity, asked = 'problem' } = said;
  const { receivedAt, settings, time } = carrier;
  const owner = ownerOf(carrier.topic);
  // Several resources are several CIs, of which none is the one.
  const resource = about.length === 1 ? about[0] : undefined;
  const { labels = NO_LABELS } = said;
  const deliveryId = carrier.deliveryId;
  const condition = { source: NAME, sourceId: key ?? sourceId, condition: key ?? null };
  const ids = { ...condition, ...(deliveryId !== undefined && { deliveryId }) };
  if (asked === 'over') return change('resolve', ids, { at: time, notes: description }, receivedAt);
  if (asked === 'passing') return ignore(ids.sourceId, `${title} is changing state`);
  const told: AlertReading = {
    ...ids,
    rated: rate({ source: NAME, table: TABLE, fallback: 'warning' }, severity, settings),
    title,
    description,
    time,
    place: hostAddressAmong([machineNamed(resource), ...placeTexts(labels)]),
    belonging: belongingOfLabels(labels),
    ciHints: [resource, ...hintsOfLabels(labels)],
    tags: tagsOfLabels(labels),
    details: {
      topic: carrier.topic,
      region: first(said.region, owner.region),
      accountId: first(said.account, owner.account),
      resources: about.length > 0 ? about : undefined,
    },
    raw: item,
  };
  return asked === 'suppressed' ? change('suppress', ids, {}, receivedAt, told) : open(told, receivedAt);
}

const placeTexts = (labels: Labels): (string | undefined)[] => {
  const { hostname, ipAddress } = placeOfLabels(labels);
  return [hostname, ipAddress];
};

/** Other events of EventBridge: AWS Health, states of EC2 and ECS, findings. */
function readBridgeEvent(event: Readonly<Record<string, unknown>>, carrier: Carrier): MonitorAction[] {
  const said = bridgeEvent(event);
  const { 'detail-type': type, id, source, time, region, account } = said;
  if (type?.startsWith('CloudWatch Alarm ')) return [ignore(id ?? null, `${type} is not a state change`)];
  const sourceId = id ?? fnv64([type ?? '', source ?? '', String(time ?? '')]);
  const resources = resourcesOf(said);
  const deliveryId = carrier.deliveryId ?? id;
  return happeningsOf(said, resources).map((one, index) => {
    const about = one.about ?? resources;
    const message = {
      ...one,
      title: joined([type, one.what], ': '),
      description: joined([joined([source, about[0]], ' '), one.text], '\n'),
      sourceId,
      about,
      region,
      account,
    };
    const ofOne = index === 0 || deliveryId === undefined ? deliveryId : `${deliveryId}#${index}`;
    return readMessage(message, { ...carrier, deliveryId: ofOne, time: time ?? carrier.time }, event);
  });
}

/** Undefined when the body is none of the forms of an alarm or event. */
function readKnown(body: Readonly<Record<string, unknown>>, carrier: Carrier): readonly MonitorAction[] | undefined {
  if (isSnsAlarm(body)) return readAlarm(alarmOfSns(body), carrier, body);
  if (isStateChange(body)) return readAlarm(alarmOfBridge(body), carrier, body);
  if (isDeletion(body)) return readAlarm(alarmOfBridge(body), carrier, body, true);
  return isBridgeEvent(body) ? readBridgeEvent(body, carrier) : undefined;
}

/** The text of a message that is no alarm: in words, or in fields of its own. */
function wordsOf(message: string, body: unknown, subject: string | undefined): Omit<Message, 'sourceId'> {
  if (!isRecord(body)) return { title: subject ?? firstLine(message), description: message };
  const notice = noticeOf(body);
  const about = notice.subject === undefined ? [] : [notice.subject];
  // The first line of JSON may be a brace alone.
  if (notice.text === undefined) return { title: subject ?? message, description: message, about };
  const title = joined([subject, joined([notice.subject, notice.text], ' ')], ': ');
  return { title, description: notice.text, about };
}

/** Matches `[FIRING:2] NodeDown shop (db-1)`, `[RESOLVED] …`: the state, and the subject of the message. */
const HEAD = /^\[([A-Za-z][A-Za-z _-]{0,30})(?::\d{1,6})?\]\s*/;
const stateIn = (title: string | undefined): { readonly word: string; readonly rest: string } | undefined => {
  const head = HEAD.exec(title ?? '');
  return head === null ? undefined : { word: head[1] ?? '', rest: (title ?? '').slice(head[0].length) };
};

/** Alertmanager and others write the state into the text, as a word in brackets, or into a field. */
function stateOfText(
  said: Omit<Message, 'sourceId'>,
  message: string,
  body: unknown,
  carrier: Carrier,
): Partial<AwsHappening> {
  const inTitle = stateIn(said.title) ?? stateIn(firstLine(message));
  const fields = isRecord(body) ? noticeShape.parse(body) : undefined;
  const word = first(fields?.status, fields?.state, inTitle?.word);
  const told = word === undefined ? undefined : toldBy(word);
  if (told !== 'over' && told !== 'problem') return {};
  // Round brackets contain the labels common to all current alerts.
  const subject = textBefore(inTitle?.rest ?? said.title ?? '', ' (').trim();
  const name = first(fields?.fingerprint, fields?.groupKey, fields?.alertname, fields?.labels.byName.get('alertname'));
  const named = name === undefined ? subject : joined([name, ...(fields?.labels.tags ?? [])], ' ');
  const labels = namedLabels(fields?.labels.pairs.length ? fields.labels : commonLabels({ firing: message }));
  return { key: `text#${fnv64([carrier.topic ?? '', named ?? ''])}`, asked: told, labels };
}
const noticeShape = inner({ ...fields(text, 'status state fingerprint groupKey alertname'), labels: labelMap });

/** Messages with the body of Alertmanager's webhook are read as such. */
const isOfAlertmanager = (body: unknown): boolean =>
  isRecord(body) && Array.isArray(body.alerts) && body.alerts.some((one) => isRecord(one) && isRecord(one.labels));

function readText(message: string, carrier: Carrier): readonly MonitorAction[] {
  const body = parsedJson(message);
  const known = isRecord(body) ? readKnown(body, carrier) : undefined;
  if (known !== undefined) return known;
  if (isOfAlertmanager(body)) return alertsIn(body, carrier);
  const sourceId = carrier.deliveryId ?? fnv64([message]);
  const words = wordsOf(message, body, carrier.subject);
  const said = { ...words, ...stateOfText(words, message, body, carrier), sourceId };
  return [readMessage(said, carrier, isRecord(body) ? body : message)];
}

function alertsIn(body: unknown, { settings, receivedAt }: Carrier): readonly MonitorAction[] {
  const { items } = readAlertmanager({ body, receivedAt }, settings);
  const bad = items.find((item) => !item.ok);
  if (bad?.ok === false && items.every((item) => !item.ok)) throw new Fault('invalid', bad.error, bad.problems);
  return items.flatMap((item) => (item.ok ? [item.action] : []));
}

function fromEnvelope(
  envelope: SnsEnvelope,
  { receivedAt }: Delivered,
  settings: InboundSettings,
): readonly MonitorAction[] {
  if (envelope.type === 'UnsubscribeConfirmation')
    return [ignore(envelope.topic, 'the subscription was canceled in SNS')];
  if (envelope.type === 'SubscriptionConfirmation') {
    if (envelope.subscribeUrl === undefined)
      throw invalid('SubscribeURL', 'expected the subscription confirmation URL');
    return [{ action: 'confirm', sourceId: envelope.topic, url: envelope.subscribeUrl }];
  }
  return readText(envelope.message, {
    settings,
    receivedAt,
    deliveryId: envelope.messageId,
    topic: envelope.topic,
    subject: textOf(envelope.subject),
    time: timeOf(envelope.timestamp),
  });
}

/** Raw delivery of SNS has the fields of the envelope in headers. */
function rawCarrier({ headers, receivedAt }: Delivered, settings: InboundSettings): Carrier {
  const topic = headers['x-amz-sns-topic-arn'];
  if (topic !== undefined) assertTopic(topic, settings);
  return {
    settings,
    receivedAt,
    deliveryId: headers['x-amz-sns-message-id'],
    topic,
    subject: undefined,
    time: undefined,
  };
}

const oneItem = (read: () => readonly MonitorAction[]): Item[] => readEach([{}], read);

/** Only SNS identifies itself in headers; any other text is a broken body. */
const isFromSns = ({ headers }: Delivered): boolean =>
  headers['x-amz-sns-message-type'] !== undefined || headers['x-amz-sns-message-id'] !== undefined;

const isForeign = (item: unknown): boolean =>
  !isRecord(item) || !(isSnsAlarm(item) || isLambdaEvent(item) || isBridgeEvent(item));

function read(delivered: Delivered, settings: InboundSettings): SourceReading {
  const sent = delivered.body;
  const body = outOfRecord(typeof sent === 'string' ? (parsedJson(sent) ?? sent) : sent);
  if (isSnsEnvelope(body)) {
    const envelope = snsEnvelope(body, settings);
    const items = oneItem(() => fromEnvelope(envelope, delivered, settings));
    const ended = envelope.type === 'UnsubscribeConfirmation' ? { ended: envelope.topic } : {};
    return { items, signed: envelope.signed, ...ended };
  }
  const carrier = rawCarrier(delivered, settings);
  const items = Array.isArray(body) ? body : [body];
  if (items.length > 0 && !items.every(isForeign)) {
    // The id in the headers is that of one message.
    const each = items.length === 1 ? carrier : { ...carrier, deliveryId: undefined };
    return { items: readEach(items, (item) => known(item, each)) };
  }
  const written = typeof sent === 'string' ? sent : isRecord(sent) ? JSON.stringify(sent) : '';
  if (!isFromSns(delivered) || written.trim() === '')
    throw invalid('body', 'expected an Amazon SNS message, or an alarm event from CloudWatch, EventBridge or Lambda');
  return { items: oneItem(() => readText(written, carrier)) };
}

function known(item: Readonly<Record<string, unknown>>, carrier: Carrier): readonly MonitorAction[] {
  const actions = readKnown(item, carrier);
  if (actions === undefined) throw invalid('body', 'expected an alarm event from CloudWatch, EventBridge or Lambda');
  return actions;
}

export const cloudwatch: MonitorSource = {
  name: NAME,
  aliases: ['aws', 'aws-cloudwatch'],
  title: 'Amazon CloudWatch',
  // The holder of these addresses can end the subscription, or confirm it.
  credentials: ['token', 'subscribeurl', 'unsubscribeurl'],
  read,
  card,
};
