/** OpenTelemetry logs over OTLP/HTTP with JSON: records of severity ERROR and above are events, the others are passed over. */

import { z } from 'zod';
import type { MonitorAction } from '#domain/event/draft.ts';
import { invalid } from '#domain/fault.ts';
import { isRecord } from '#domain/record-of.ts';
import { fnv64 } from '#domain/texts/fnv.ts';
import { hostAddressAmong } from '../kit/hosts.ts';
import { ignore, open, readEach } from '../kit/items.ts';
import { belongingOf, type Labels, labelsOf } from '../kit/labels.ts';
import { rate, type SeverityTable } from '../kit/severity.ts';
import { anything, inner, list, text, time } from '../kit/shapes.ts';
import type { Delivered, InboundSettings, Item, MonitorSource, SourceReading } from '../kit/source.ts';
import { first, firstLine, joined, textOf } from '../kit/text.ts';
import { card } from './card.ts';

const NAME = 'otel';

/** The lowest number that is an error (OpenTelemetry log data model). */
const FIRST_EVENT_NUMBER = 17;
/** Severities by severityNumber; the text beside it is the sender's own. */
const TABLE: SeverityTable = {
  17: 'minor',
  18: 'minor',
  19: 'major',
  20: 'major',
  21: 'critical',
  22: 'critical',
  23: 'critical',
  24: 'critical',
};
const SCALE = { source: NAME, table: TABLE, fallback: 'minor' as const };

const resourceShape = inner({ attributes: anything });
const groupShape = inner({ resource: resourceShape, scopeLogs: list, instrumentationLibraryLogs: list });
const scopeShape = inner({ scope: inner({ name: text, version: text }), logRecords: list, logs: list });
const recordShape = z.object({
  timeUnixNano: time,
  observedTimeUnixNano: time,
  severityNumber: text,
  severityText: text,
  eventName: text,
  body: anything,
  attributes: anything,
  traceId: text,
  spanId: text,
});

const MAX_DEPTH = 8;

/** Plain value of an OTLP AnyValue. */
function plainValue(any: unknown, depth = 0): unknown {
  if (!isRecord(any) || depth > MAX_DEPTH) return undefined;
  const { arrayValue, kvlistValue } = any;
  if (isRecord(kvlistValue)) return fieldsOf(kvlistValue.values, depth + 1);
  if (isRecord(arrayValue) && Array.isArray(arrayValue.values))
    return arrayValue.values.slice(0, 100).map((one) => plainValue(one, depth + 1));
  return any.stringValue ?? any.intValue ?? any.doubleValue ?? any.boolValue ?? any.bytesValue;
}

/** A list of `{ key, value }` as a map. */
function fieldsOf(list: unknown, depth = 0): Record<string, unknown> {
  const entries = (Array.isArray(list) ? list.slice(0, 500) : []).filter(isRecord);
  return Object.fromEntries(entries.map(({ key, value }) => [textOf(key) ?? '', plainValue(value, depth)]));
}

// Not `service.instance.id`: it is another one after every restart.
const HOST = ['host.name', 'k8s.node.name', 'server.address', 'host.ip'];
const HINTS = ['host.id', 'k8s.pod.name', 'cloud.resource_id', 'k8s.deployment.name', 'container.name', 'container.id'];
const MESSAGE = ['message', 'msg', 'log', 'text', 'event', 'error'];

/** Returns the number of a number, of `SEVERITY_NUMBER_ERROR2`, or of a text when there is no number; 0 without any. */
function numberOf(sent: string | undefined, severityText: string | undefined): number {
  const number = Number(sent ?? 0);
  if (Number.isInteger(number) && number > 0) return Math.min(number, 24);
  const word =
    (sent !== undefined && Number.isNaN(number)
      ? sent.replace(/^SEVERITY_NUMBER_/, '')
      : severityText
    )?.toLowerCase() ?? '';
  const match = /^(trace|debug|info|warn|error|fatal)(?:ing)?([234])?$/.exec(
    word.replace(/^(?:critical|crit|emergency|emerg|panic|alert)$/, 'fatal').replace(/^(?:err|severe)$/, 'error'),
  );
  const start = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'].indexOf(match?.[1] ?? '');
  return start < 0 ? 0 : 1 + 4 * start + (match?.[2] === undefined ? 0 : Number(match[2]) - 1);
}

interface Origin {
  readonly resource: Labels;
  readonly scope: string | undefined;
}

/** Text of a body; of a map the field that holds it, in any case (journald writes it in capitals), else all of it as JSON. */
function messageOf(body: unknown): string | undefined {
  const plain = plainValue(body) ?? (typeof body === 'string' ? body : undefined);
  if (typeof plain !== 'object' || plain === null) return textOf(plain);
  const { byName } = labelsOf(isRecord(plain) ? plain : {});
  return first(
    ...MESSAGE.map((name) => byName.get(name)),
    Object.keys(plain).length > 0 ? textOf(JSON.stringify(plain)) : undefined,
  );
}

function readRecord(
  item: Readonly<Record<string, unknown>>,
  origin: Origin,
  receivedAt: number,
  settings: InboundSettings,
): MonitorAction {
  const said = recordShape.parse(item);
  const number = numberOf(said.severityNumber, said.severityText);
  if (number < FIRST_EVENT_NUMBER) return ignore(null, `severity ${said.severityText ?? number} is below ERROR`);
  const attributes = labelsOf(fieldsOf(said.attributes));
  const eventName = first(said.eventName, attributes.byName.get('event.name'));
  const message = messageOf(said.body);
  const thrown = joined([attributes.byName.get('exception.type'), attributes.byName.get('exception.message')], ': ');
  const { resource } = origin;
  const at = first(said.timeUnixNano, said.observedTimeUnixNano);
  const host = hostAddressAmong([...HOST.map((name) => resource.byName.get(name)), attributes.byName.get('host.name')]);
  const parts = [
    host.hostname,
    host.ipAddress,
    resource.byName.get('service.name'),
    eventName,
    message,
    thrown,
    said.traceId,
    said.spanId,
  ];
  return open(
    {
      source: NAME,
      sourceId: fnv64([...parts.map((part) => part ?? ''), textOf(item.timeUnixNano) ?? '']),
      // A log line is sent once and never ends.
      condition: null,
      rated: rate(SCALE, said.severityText ?? String(number), settings, [String(number)]),
      title: first(firstLine(message), thrown, eventName),
      description: joined([message, thrown, attributes.byName.get('exception.stacktrace')], '\n'),
      time: at,
      place: host,
      belonging: belongingOf(resource),
      category: eventName,
      ciHints: HINTS.map((name) => resource.byName.get(name)),
      tags: resource.tags,
      details: {
        eventName,
        severityNumber: number,
        traceId: said.traceId,
        spanId: said.spanId,
        scope: origin.scope,
        exceptionType: attributes.byName.get('exception.type'),
        attributes: Object.fromEntries(attributes.pairs.slice(0, 50)),
      },
      raw: item,
    },
    receivedAt,
  );
}

/** The log records of one resource. */
function readGroup(group: unknown, receivedAt: number, settings: InboundSettings): Item[] {
  const { resource, scopeLogs, instrumentationLibraryLogs } = groupShape.parse(group);
  const labels = labelsOf(fieldsOf(resource.attributes));
  return [...scopeLogs, ...instrumentationLibraryLogs].flatMap((one) => {
    const { scope, logRecords, logs } = scopeShape.parse(one);
    const origin = { resource: labels, scope: joined([scope.name, scope.version], ' ') };
    return readEach([...logRecords, ...logs], (item) => readRecord(item, origin, receivedAt, settings));
  });
}

const EXPECTED = 'expected OTLP/HTTP logs in JSON; ';
const expectedOf = (type = ''): string =>
  EXPECTED +
  (/protobuf/i.test(type)
    ? 'got protobuf: set "encoding: json" in the otlphttp exporter of the collector'
    : 'traces and metrics are not supported');

function read({ body, headers, receivedAt }: Delivered, settings: InboundSettings): SourceReading {
  if (!isRecord(body) || !Array.isArray(body.resourceLogs))
    throw invalid('resourceLogs', expectedOf(headers['content-type']));
  return { items: body.resourceLogs.flatMap((group) => readGroup(group, receivedAt, settings)) };
}

export const otel: MonitorSource = {
  name: NAME,
  aliases: ['otlp', 'opentelemetry'],
  title: 'OpenTelemetry logs',
  read,
  card,
};
