/** CloudEvents 1.0 over HTTP: structured, batched and binary (ce-* headers). */

import { z } from 'zod';
import { lastItem } from '#domain/assert.ts';
import type { MonitorAction } from '#domain/event/draft.ts';
import { isChangeGoneWrong, isChangeTitle } from '#domain/event/identity/problem-kind.ts';
import { invalid } from '#domain/fault.ts';
import { isRecord } from '#domain/record-of.ts';
import {
  type About,
  type AlertReading,
  bodiesOf,
  change,
  open,
  readEach,
  type StatusChange,
  unknownState,
} from '../kit/items.ts';
import { labelsOf, mergeLabels, namedBy, pick } from '../kit/labels.ts';
import { MAX_TITLE } from '../kit/limits.ts';
import { belongingOfLabels, namedLabels, placeOfLabels } from '../kit/prometheus-labels.ts';
import { FREE_WORDS, rate } from '../kit/severity.ts';
import { anything, fields, labelMap, text, time } from '../kit/shapes.ts';
import type { Delivered, InboundSettings, MonitorSource } from '../kit/source.ts';
import { type ToldState, toldBy } from '../kit/state-words.ts';
import { base64Text, first, firstLine, parsedJson } from '../kit/text.ts';
import { card } from './card.ts';

const NAME = 'cloudevents';
const SCALE = { source: NAME, table: FREE_WORDS, fallback: 'warning' as const };

const shape = z.object({
  ...fields(text, 'specversion id source type subject'),
  time,
  severity: text,
  traceparent: text,
  dataschema: text,
  data: anything,
  data_base64: anything,
});
type CloudEvent = z.output<typeof shape>;

const dataShape = z.object({
  ...fields(text, 'status state severity priority level title summary name alertname message description'),
  timestamp: time,
  notes: text,
  user: text,
  labels: labelMap,
  tags: anything,
});

/** Last words of types that describe a problem; others name the subject of the event. */
const PROBLEMS: ReadonlySet<string> = new Set('firing fired triggered alerting problem opened open raised'.split(' '));

/** Matches the start of a word in CamelCase: `AlertResolved`, `SLABreached`. */
const CAMEL = /(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g;
const VERSION = /^v?\d+$/;
const NEGATION = /^(?:un|not|non)$/;

/** Returns the final word of a type, ignoring versions, with its negation. */
function lastWordOf(type: string): string {
  const words = type
    .replace(CAMEL, '.')
    .toLowerCase()
    .split(/[./_:-]/);
  while (words.length > 1 && VERSION.test(lastItem(words))) words.pop();
  const [before = '', last = before] = words.slice(-2);
  return NEGATION.test(before) ? before + last : last;
}

/** Words of a type by which a pipeline reports its actions (CDEvents: `dev.cdevents.service.deployed.0.1.1`). */
const DEPLOYS = /(?<![a-z])(?:deploy(?:ed|ments?)?|rollouts?|rolledback|releases?d?)(?![a-z])/;
const CHANGES = /(?<![a-z])changed?(?![a-z])/;
const FAILS =
  /(?<![a-z])(?:fail(?:s|ed|ures?)?|errors?|alerts?|alarms?|problems?|incidents?|stuck|aborted|canceled)(?![a-z])/;

/**
 * Returns the category of a deployment or another change, which is over when it is made. For a mere change the title
 * must contain it, too: states change as well.
 */
function categoryOf(type: string, title = ''): string | undefined {
  const words = type.replace(CAMEL, '.').toLowerCase();
  const text = title.slice(0, MAX_TITLE);
  if (FAILS.test(words) || isChangeGoneWrong(text)) return undefined;
  if (DEPLOYS.test(words)) return 'deployment';
  return CHANGES.test(words) && isChangeTitle(text) ? 'change' : undefined;
}

/** Returns the state by the final word of a type; for a problem, the data may be more precise. */
function toldByType(type: string): ToldState | undefined {
  const word = lastWordOf(type);
  const told = toldBy(word);
  return told === 'problem' && !PROBLEMS.has(word) ? undefined : told;
}

/** Returns the state by type, else by the data; null for an unknown state. An event with neither is a problem. */
function askedOf(type: string, state: string | undefined): ToldState | null {
  const [byType, byState] = [toldByType(type), state === undefined ? undefined : toldBy(state)];
  if (byType !== undefined && byType !== 'problem') return byType;
  if (byState !== undefined) return byState;
  return byType ?? (state === undefined ? 'problem' : null);
}

/** Returns data as an object where it is JSON, in any of the three transport forms; else its text. */
function dataOf(said: CloudEvent): unknown {
  const decoded = typeof said.data_base64 === 'string' ? base64Text(said.data_base64) : undefined;
  const data = said.data ?? decoded;
  return typeof data === 'string' ? (parsedJson(data) ?? data) : data;
}

/** `id` is unique within `source`; `subject` is constant over the events of a condition. */
function aboutOf(said: CloudEvent): About & { readonly type: string } {
  const { id, source, type, subject } = said;
  if (said.specversion === undefined || !/^(?:1|0\.3)(?:\.|$)/.test(said.specversion))
    throw invalid('specversion', 'expected 1.0');
  if (id === undefined) throw invalid('id', 'expected text');
  if (source === undefined) throw invalid('source', 'expected text');
  if (type === undefined) throw invalid('type', 'expected text');
  const condition = subject === undefined ? null : `${source}#${subject}`;
  return { source: NAME, sourceId: `${source}#${id}`, condition, deliveryId: `${source}#${id}`, type };
}

interface EventParts {
  readonly said: CloudEvent;
  readonly about: About;
  readonly type: string;
  readonly data: unknown;
  readonly told: z.output<typeof dataShape>;
}

function titleOf({ said, type, data, told }: EventParts): string | undefined {
  const written = typeof data === 'string' ? data : undefined;
  return first(
    told.title,
    told.summary,
    told.alertname,
    told.name,
    firstLine(told.message),
    firstLine(written),
    said.subject,
    type,
  );
}

function problemOf(reading: EventParts, item: unknown, settings: InboundSettings): AlertReading {
  const { said, about, type, data, told } = reading;
  const named = namedLabels(mergeLabels(labelMap.parse(data), told.labels));
  const title = titleOf(reading);
  return {
    ...about,
    rated: rate(
      SCALE,
      first(told.severity, said.severity, told.priority, told.level, pick(told.labels, ['severity'])),
      settings,
    ),
    title,
    category: categoryOf(type, title),
    description: first(told.description, told.message, typeof data === 'string' ? data : undefined),
    time: first(said.time, told.timestamp),
    place: placeOfLabels(named),
    belonging: belongingOfLabels(named),
    ciHints: ['ciid', 'ci', 'resource'].map((name) => namedBy(named, name)),
    tags: [...told.labels.tags, ...tagsOf(told.tags)],
    details: {
      ceId: said.id,
      ceSource: said.source,
      ceType: type,
      ceSubject: said.subject,
      traceparent: said.traceparent,
      dataschema: said.dataschema,
    },
    raw: item,
  };
}

/** True if the event describes the problem itself, and not only a change of it. */
const isTold = ({ told }: EventParts): boolean =>
  first(told.title, told.summary, told.alertname, told.name, told.severity) !== undefined;

/** Last words of types that end an earlier problem, also a change. */
const ENDS: ReadonlySet<string> = new Set(['resolved', 'recovered', 'closed', 'cleared', 'ok', 'recovery']);

/** A successful deployment or change ends nothing. */
const isMade = ({ category }: AlertReading, type: string): boolean =>
  category !== undefined && !ENDS.has(lastWordOf(type));

const CHANGES_OF: Readonly<Record<Exclude<ToldState, 'problem'>, StatusChange>> = {
  over: 'resolve',
  acknowledged: 'acknowledge',
  unacknowledged: 'unacknowledge',
  suppressed: 'suppress',
  unsuppressed: 'unsuppress',
};

function read(item: Readonly<Record<string, unknown>>, receivedAt: number, settings: InboundSettings): MonitorAction {
  const said = shape.parse(item);
  const { type, ...about } = aboutOf(said);
  const data = dataOf(said);
  const told = dataShape.parse(isRecord(data) ? lowerKeys(data) : {});
  const reading: EventParts = { said, about, type, data, told };
  const state = first(told.status, told.state);
  const asked = askedOf(type, state);
  const complaint = problemOf(reading, item, settings);
  if (asked === null) return unknownState(complaint, state ?? '', receivedAt);
  if (asked === 'problem' || (asked === 'over' && isMade(complaint, type))) return open(complaint, receivedAt);
  const by = { at: complaint.time, notes: first(told.notes, told.message), author: told.user };
  const whole = asked !== 'over' && isTold(reading) ? complaint : undefined;
  return change(CHANGES_OF[asked], about, by, receivedAt, whole);
}

/** Fields by their names in lower case; of two spellings the first. */
const lowerKeys = (data: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(data)
      .slice(0, 2000)
      .reverse()
      .map(([name, value]) => [name.toLowerCase(), value]),
  );

const tagsOf = (tags: unknown): readonly string[] => labelsOf(tags).tags;

const HEADER = 'ce-';

/** Attribute values in headers are percent-encoded where they are not plain ASCII. */
function headerText(value: string): string {
  try {
    return decodeURIComponent(value.replace(/^"(.*)"$/s, '$1'));
  } catch {
    return value;
  }
}

/** The event that binary mode spreads over headers and body. */
function fromHeaders({ body, headers }: Delivered): Record<string, unknown> {
  const attributes = Object.entries(headers)
    .filter(([name, value]) => name.startsWith(HEADER) && value !== undefined)
    .map(([name, value]) => [name.slice(HEADER.length), headerText(value ?? '')]);
  return { ...Object.fromEntries(attributes), data: body };
}

const isBinary = ({ headers }: Delivered): boolean =>
  headers['ce-specversion'] !== undefined || headers['ce-id'] !== undefined || headers['ce-type'] !== undefined;

/** An empty batch is a valid one (JSON event format, section 4.3). */
function eventsOf(delivered: Delivered): readonly unknown[] {
  const { body } = delivered;
  if (isBinary(delivered)) return [fromHeaders(delivered)];
  if (Array.isArray(body) && body.length === 0) return [];
  return bodiesOf(body, 'a CloudEvent, a batch of them, or ce-* headers');
}

export const cloudevents: MonitorSource = {
  name: NAME,
  aliases: [],
  title: 'CloudEvents',
  read(delivered, settings) {
    return { items: readEach(eventsOf(delivered), (item) => read(item, delivered.receivedAt, settings)) };
  },
  card,
};
