/** The three forms in which CloudWatch describes an alarm's change of state, read into one. */
import { z } from 'zod';
import { isRecord } from '#domain/record-of.ts';
import { type Labels, mergeLabels } from '../kit/labels.ts';
import { fields, inner, labels, list, text, time } from '../kit/shapes.ts';
import { first, parsedJson, textOf } from '../kit/text.ts';

/** A change of state, by any transport. */
export interface Alarm {
  readonly name: string | undefined;
  readonly arn: string | undefined;
  readonly account: string | undefined;
  /** Code, or the display name where nothing better was sent. */
  readonly region: string | undefined;
  readonly state: string | undefined;
  readonly reason: string | undefined;
  readonly description: string | undefined;
  readonly time: number | undefined;
  readonly dimensions: Labels;
  /** Dimensions of each of its metrics. */
  readonly metricDimensions: readonly Labels[];
  /** The changed one of several time series; each fires and ends by itself. */
  readonly contributor: string | undefined;
  readonly tags: Labels;
  readonly namespace: string | undefined;
  readonly metric: string | undefined;
  /** ARNs of the alarms that made a composite alarm change. */
  readonly children: readonly string[];
  readonly rule: string | undefined;
  readonly suppressedBy: string | undefined;
  /** Suppression of the previous state, where that was an alarm, too: undefined when it was not, or is unknown. */
  readonly before: { readonly suppressedBy: string | undefined } | undefined;
  readonly deliveryId: string | undefined;
}

const bridgeMetric = inner({
  metricStat: inner({ metric: inner({ dimensions: labels, name: text, namespace: text }) }),
});
const trigger = inner({ MetricName: text, Namespace: text, Dimensions: labels, Metrics: list });
const triggerMetric = inner({
  MetricStat: inner({ Metric: inner({ Dimensions: labels, MetricName: text, Namespace: text }) }),
});
const child = inner({ Arn: text, arn: text });

const snsShape = z.object({
  ...fields(text, 'AlarmName AlarmArn AlarmDescription AWSAccountId Region NewStateValue NewStateReason'),
  StateChangeTime: time,
  Trigger: trigger,
  AlarmRule: text,
  TriggeringChildren: list,
  AlarmTags: labels,
  Tags: labels,
  ActionsSuppressedBy: text,
  AlarmContributorId: text,
  AlarmContributorAttributes: labels,
});

const childArns = (children: readonly unknown[]): string[] =>
  children
    .slice(0, 100)
    .map((one) => child.parse(one))
    .map((one) => first(one.Arn, one.arn))
    .filter((arn) => arn !== undefined);

/** The posts of CloudWatch to SNS; their fields have capital letters. */
export function alarmOfSns(message: Readonly<Record<string, unknown>>): Alarm {
  const said = snsShape.parse(message);
  const metrics = said.Trigger.Metrics.slice(0, 20).map((one) => triggerMetric.parse(one).MetricStat.Metric);
  return {
    name: said.AlarmName,
    arn: said.AlarmArn,
    account: said.AWSAccountId,
    region: said.Region,
    state: said.NewStateValue,
    reason: said.NewStateReason,
    description: said.AlarmDescription,
    time: said.StateChangeTime,
    dimensions: mergeLabels(
      said.AlarmContributorAttributes,
      said.Trigger.Dimensions,
      ...metrics.map((one) => one.Dimensions),
    ),
    metricDimensions: metrics.map((one) => one.Dimensions),
    contributor: said.AlarmContributorId,
    tags: mergeLabels(said.AlarmTags, said.Tags),
    namespace: first(said.Trigger.Namespace, ...metrics.map((one) => one.Namespace)),
    metric: first(said.Trigger.MetricName, ...metrics.map((one) => one.MetricName)),
    children: childArns(said.TriggeringChildren),
    rule: said.AlarmRule,
    suppressedBy: said.ActionsSuppressedBy,
    before: undefined,
    deliveryId: undefined,
  };
}

const stateShape = inner({ value: text, reason: text, reasonData: text, timestamp: time, actionsSuppressedBy: text });
const alarmShape = inner({
  alarmName: text,
  state: stateShape,
  previousState: stateShape,
  configuration: inner({ description: text, alarmRule: text, metrics: list }),
  alarmContributor: inner({ id: text, attributes: labels }),
  alarmTags: labels,
  tags: labels,
});
const bridgeShape = z.object({
  ...fields(text, 'id account accountId region'),
  time,
  resources: list,
  alarmArn: text,
  detail: alarmShape,
  alarmData: alarmShape,
});
const reasonShape = inner({ triggeringAlarms: list });

/** EventBridge (`detail`, `resources`) and direct calls of a Lambda function (`alarmData`, `alarmArn`). */
export function alarmOfBridge(event: Readonly<Record<string, unknown>>): Alarm {
  const said = bridgeShape.parse(event);
  const alarm = isRecord(event.alarmData) ? said.alarmData : said.detail;
  const metrics = alarm.configuration.metrics.slice(0, 20).map((one) => bridgeMetric.parse(one).metricStat.metric);
  const reason = reasonShape.parse(parsedJson(alarm.state.reasonData ?? ''));
  return {
    name: alarm.alarmName,
    arn: first(said.alarmArn, text.parse(said.resources[0])),
    account: first(said.account, said.accountId),
    region: said.region,
    state: alarm.state.value,
    reason: alarm.state.reason,
    description: alarm.configuration.description,
    time: first(alarm.state.timestamp, said.time),
    dimensions: mergeLabels(alarm.alarmContributor.attributes, ...metrics.map((one) => one.dimensions)),
    metricDimensions: metrics.map((one) => one.dimensions),
    contributor: alarm.alarmContributor.id,
    tags: mergeLabels(alarm.alarmTags, alarm.tags),
    namespace: first(...metrics.map((one) => one.namespace)),
    metric: first(...metrics.map((one) => one.name)),
    children: childArns(reason.triggeringAlarms),
    rule: alarm.configuration.alarmRule,
    suppressedBy: alarm.state.actionsSuppressedBy,
    before:
      alarm.previousState.value?.toUpperCase() === 'ALARM'
        ? { suppressedBy: alarm.previousState.actionsSuppressedBy }
        : undefined,
    deliveryId: said.id,
  };
}

const changedShape = inner({ operation: text });
/** Deletion of a firing alarm has its own message, and no OK. */
export const isDeletion = (event: Readonly<Record<string, unknown>>): boolean =>
  event['detail-type'] === 'CloudWatch Alarm Configuration Change' &&
  changedShape.parse(event.detail).operation?.toLowerCase() === 'delete';

/** A notification in JSON that is neither an alarm nor an event: RDS and Auto Scaling subscribe SNS topics themselves. */
export const noticeOf = (body: Readonly<Record<string, unknown>>) => ({
  subject: first(textOf(body['Source ID']), textOf(body.AutoScalingGroupName)),
  text: first(...['Event Message', 'Event', 'Description', 'Message', 'message'].map((name) => textOf(body[name]))),
});

const STATE_CHANGES: readonly unknown[] = [
  'CloudWatch Alarm State Change',
  'CloudWatch Alarm Contributor State Change',
];
export const isStateChange = (body: Readonly<Record<string, unknown>>): boolean =>
  isLambdaEvent(body) || STATE_CHANGES.includes(body['detail-type']);
export const isSnsAlarm = (body: Readonly<Record<string, unknown>>): boolean =>
  'AlarmName' in body || 'NewStateValue' in body;
export const isBridgeEvent = (body: Readonly<Record<string, unknown>>): boolean =>
  typeof body['detail-type'] === 'string';
export const isLambdaEvent = (body: Readonly<Record<string, unknown>>): boolean => isRecord(body.alarmData);
