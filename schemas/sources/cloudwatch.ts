/** Amazon CloudWatch: alarms through SNS (signed or raw), EventBridge or a Lambda function; other texts through SNS. */
import type { MonitorAction } from '#domain/event/draft.ts';
import { invalid } from '#domain/fault.ts';
import { machineNamed, machineTexts, ownerOf, resourceHints } from './aws-resources.ts';
import {
  type Alarm,
  alarmOfBridge,
  alarmOfSns,
  bridgeEvent,
  isBridgeEvent,
  isLambdaEvent,
  isSnsAlarm,
  isStateChange,
  noticeOf,
  whatHappened,
} from './cloudwatch-alarm.ts';
import { fnv64 } from './hash.ts';
import { hostAddressAmong } from './hosts.ts';
import { type About, change, ignore, open, readEach } from './items.ts';
import { belongingOf, mergeLabels, pick } from './labels.ts';
import { FREE_WORDS, type Rated, rate } from './severity.ts';
import { assertTopic, isSnsEnvelope, outOfRecord, type SnsEnvelope, snsEnvelope } from './sns.ts';
import type { Delivered, InboundSettings, Item, Source, SourceReading } from './source.ts';
import { first, firstLine, isRecord, joined, parsedJson, textOf } from './text.ts';
import { timeOf } from './time.ts';

const NAME = 'cloudwatch';

/** A word in the description of an alarm, for accounts that do not propagate tags: `[severity=critical]`. */
const MARK = /\[\s{0,5}severity\s{0,5}[=:]\s{0,5}"?([\w-]{1,40})"?\s{0,5}\]/i;
const TABLE = { ...FREE_WORDS, alarm: 'major', insufficient_data: 'warning' } as const;

/** Where a message came from and what is known of its delivery. */
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

/** An alarm that goes on and is suppressed now, or no longer; one that begins says so with its own status. */
function suppression({ before, suppressedBy, time }: Alarm, about: About, receivedAt: number): MonitorAction[] {
  if (before === undefined || (before.suppressedBy === undefined) === (suppressedBy === undefined)) return [];
  const action = suppressedBy === undefined ? 'unsuppress' : 'suppress';
  // With the id of the delivery itself it would be a redelivery of what opens the event.
  const deliveryId = about.deliveryId === undefined ? {} : { deliveryId: `${about.deliveryId}#${action}` };
  return [change(action, { ...about, ...deliveryId }, { at: time }, receivedAt)];
}

function readAlarm(alarm: Alarm, carrier: Carrier, item: unknown): MonitorAction[] {
  const owner = ownerOf(alarm.arn);
  const region = first(owner.region, alarm.region);
  const account = first(owner.account, alarm.account);
  if (alarm.arn === undefined && alarm.name === undefined) throw invalid('AlarmName', 'expected the name of the alarm');
  const id = alarm.arn ?? [account, region, alarm.name].filter((part) => part !== undefined).join(':');
  const sourceId = alarm.contributor === undefined ? id : `${id}#${alarm.contributor}`;
  const deliveryId = carrier.deliveryId ?? alarm.deliveryId;
  const about = { source: NAME, sourceId, ...(deliveryId !== undefined && { deliveryId }) };
  const state = alarm.state?.toUpperCase();
  if (state === 'OK') return [change('resolve', about, { at: alarm.time, notes: alarm.reason }, carrier.receivedAt)];
  if (state !== 'ALARM' && state !== 'INSUFFICIENT_DATA')
    throw invalid(
      'NewStateValue',
      `expected ALARM, OK or INSUFFICIENT_DATA, got ${alarm.state?.slice(0, 60) ?? 'nothing'}`,
    );
  const named = mergeLabels(alarm.tags, alarm.dimensions);
  const opened = open(
    {
      ...about,
      rated: ratedOf(alarm, state, carrier.settings),
      title: alarm.name ?? alarm.arn?.split(':').slice(6).join(':') ?? carrier.subject,
      description: joined([alarm.description, alarm.reason], '\n'),
      time: first(alarm.time, carrier.time),
      place: hostAddressAmong(machineTexts(alarm.dimensions)),
      belonging: belongingOf(named),
      ciHints: resourceHints(alarm.dimensions, { ...owner, region, account }, sourceId),
      tags: named.tags,
      details: {
        region,
        accountId: account,
        state,
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
    },
    carrier.receivedAt,
  );
  return [opened, ...suppression(alarm, about, carrier.receivedAt)];
}

interface Message {
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly sourceId: string;
  /** ARNs or ids of resources. */
  readonly about?: readonly string[];
  readonly region?: string | undefined;
  readonly account?: string | undefined;
}

/** A message that is no alarm: it has no recovery, so it declares no condition. */
function readMessage(said: Message, carrier: Carrier, item: unknown): MonitorAction {
  const { about = [], sourceId, title, description } = said;
  const owner = ownerOf(carrier.topic);
  // Several resources are several CIs, of which none is the one.
  const resource = about.length === 1 ? about[0] : undefined;
  return open(
    {
      source: NAME,
      sourceId,
      condition: null,
      ...(carrier.deliveryId !== undefined && { deliveryId: carrier.deliveryId }),
      rated: rate({ source: NAME, table: TABLE, fallback: 'warning' }, undefined, carrier.settings),
      title,
      description,
      time: carrier.time,
      place: hostAddressAmong([machineNamed(resource)]),
      ciHints: [resource],
      details: {
        topic: carrier.topic,
        region: first(said.region, owner.region),
        accountId: first(said.account, owner.account),
        resources: about.length > 0 ? about : undefined,
      },
      raw: item,
    },
    carrier.receivedAt,
  );
}

/** Other events of EventBridge, such as AWS Health: said once, never taken back. */
function readBridgeEvent(event: Readonly<Record<string, unknown>>, carrier: Carrier): MonitorAction {
  const { 'detail-type': type, id, source, time, region, account, resources, detail } = bridgeEvent(event);
  if (type?.startsWith('CloudWatch Alarm ')) return ignore(id ?? null, `${type} is no change of state`);
  const sourceId = id ?? fnv64([type ?? '', source ?? '', String(time ?? '')]);
  const about = resources
    .slice(0, 20)
    .map((one) => textOf(one))
    .filter((one) => one !== undefined);
  const { what, text } = whatHappened(detail);
  const said = {
    title: joined([type, what], ': '),
    description: joined([joined([source, about[0]], ' '), text], '\n'),
    sourceId,
    about,
    region,
    account,
  };
  return readMessage(said, { ...carrier, deliveryId: carrier.deliveryId ?? id, time: time ?? carrier.time }, event);
}

/** Undefined when the body is none of the forms of an alarm or event. */
function readKnown(body: Readonly<Record<string, unknown>>, carrier: Carrier): readonly MonitorAction[] | undefined {
  if (isSnsAlarm(body)) return readAlarm(alarmOfSns(body), carrier, body);
  if (isStateChange(body)) return readAlarm(alarmOfBridge(body), carrier, body);
  return isBridgeEvent(body) ? [readBridgeEvent(body, carrier)] : undefined;
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

function readText(message: string, carrier: Carrier): readonly MonitorAction[] {
  const body = parsedJson(message);
  const known = isRecord(body) ? readKnown(body, carrier) : undefined;
  if (known !== undefined) return known;
  const sourceId = carrier.deliveryId ?? fnv64([message]);
  const said = { ...wordsOf(message, body, carrier.subject), sourceId };
  return [readMessage(said, carrier, isRecord(body) ? body : message)];
}

function fromEnvelope(
  envelope: SnsEnvelope,
  { receivedAt }: Delivered,
  settings: InboundSettings,
): readonly MonitorAction[] {
  if (envelope.type === 'UnsubscribeConfirmation') return [ignore(envelope.topic, 'the subscription was ended at SNS')];
  if (envelope.type === 'SubscriptionConfirmation') {
    if (envelope.subscribeUrl === undefined)
      throw invalid('SubscribeURL', 'expected the address that confirms the subscription');
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

/** Raw delivery of SNS says in headers what the envelope would say. */
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

/** Only SNS says in headers that it is SNS; any other text is a broken body. */
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
  const text = typeof sent === 'string' ? sent : isRecord(sent) ? JSON.stringify(sent) : '';
  if (!isFromSns(delivered) || text.trim() === '')
    throw invalid('body', 'expected a message of Amazon SNS, or an alarm event of CloudWatch, EventBridge or Lambda');
  return { items: oneItem(() => readText(text, carrier)) };
}

function known(item: Readonly<Record<string, unknown>>, carrier: Carrier): readonly MonitorAction[] {
  const actions = readKnown(item, carrier);
  if (actions === undefined) throw invalid('body', 'expected an alarm event of CloudWatch, EventBridge or Lambda');
  return actions;
}

export const cloudwatch: Source = {
  name: NAME,
  aliases: ['aws', 'aws-cloudwatch'],
  title: 'Amazon CloudWatch',
  // The holder of these addresses can end the subscription, or confirm it.
  credentials: ['token', 'subscribeurl', 'unsubscribeurl'],
  read,
};
