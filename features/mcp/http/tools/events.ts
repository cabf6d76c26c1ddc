import { z } from 'zod';
import { getEvent } from '#api/events/get.ts';
import { listEvents } from '#api/events/list.ts';
import { isBeyond, quoted, tool } from '#api/surfaces/tool.ts';
import { STATUSES } from '#domain/event/event.ts';
import {
  ci,
  counted,
  eventId,
  found,
  given,
  groupId,
  joined,
  lines,
  rows,
  severities,
  text,
  timeRange,
  total,
  truncated,
  utc,
} from './fields.ts';

const Row = z.object({
  eventId: z.string(),
  title: z.string(),
  severity: z.string(),
  status: z.string(),
  source: z.string(),
  hostname: z.string().optional(),
  ciId: z.object({ _id: z.string(), name: z.string() }).optional(),
  service: z.string().optional(),
  correlationId: z.string().nullable(),
  occurrenceCount: z.int(),
  firstOccurrence: z.string(),
  lastOccurrence: z.string(),
});
type Row = z.output<typeof Row>;

const placeOf = ({ ciId, hostname }: Row): string => {
  const place = ciId?.name ?? hostname;
  return place === undefined ? '' : ` on ${quoted(place)}`;
};
const rowWords = (row: Row): string =>
  `${row.eventId}: ${row.severity}, ${row.status}, ${quoted(row.title)}${placeOf(row)}, source ${quoted(row.source)}, since ${utc(row.firstOccurrence)}, ${counted(row.occurrenceCount, 'occurrence')}${row.correlationId === null ? '' : `, group ${row.correlationId}`}`;

const finding = tool({
  name: 'find_events',
  title: 'Find events',
  description: 'Finds events, newest first, by words, status, severity, host, service, CI, group and time.',
  endpoint: listEvents,
  input: z.strictObject({
    search: text.optional().describe('Words in title, description or hostname; all must match'),
    status: z.array(z.enum(STATUSES)).min(1).optional(),
    severity: severities.optional(),
    host: text.optional().describe('Hostname pattern: * matches any characters, ? exactly one'),
    service: text.optional(),
    ci: ci.optional(),
    group: groupId.optional(),
    time_range: timeRange.optional(),
    limit: rows(50, 15),
  }),
  output: z.object({ events: z.array(Row), total, truncated }),
  async run({ ask, ciNamed }, { status, severity, ci: named, group, time_range: range, limit, ...words }) {
    const query = given({
      ...words,
      status: joined(status),
      severity: joined(severity),
      ciId: named === undefined ? undefined : await ciNamed(named),
      correlationId: group,
      timeRange: range,
      limit: String(limit),
      view: 'row',
    });
    const { body, total: all } = await ask(listEvents, { query });
    const { events } = body as { readonly events: readonly unknown[] };
    return { events, total: all, truncated: isBeyond(events, all) };
  },
  tell: ({ events, total: all }) => lines(found('event', events, all), events.map(rowWords)),
});

/** Maximum number of events to read of each list. */
const LOOKED_AT = 500;
/** Matches words without digits, since measured values differ between occurrences. */
const WORD = /\p{L}{3,}/gu;
const MAX_WORDS = 8;
const MAX_SEARCH = 256;

const Past = Row.extend({
  resolutionNotes: z.string().optional(),
  resolutionCategory: z.string().optional(),
  resolvedBy: z.object({ name: z.string() }).optional(),
});
interface ListedEvents {
  readonly events: readonly {
    readonly eventId: string;
    readonly correlationSignature: string;
    readonly firstOccurrence: string;
  }[];
}
interface OneEvent {
  readonly event: {
    readonly eventId: string;
    readonly title: string;
    readonly correlationSignature: string;
    readonly ciId?: { readonly _id: string };
    readonly aiAnalysis?: { readonly history?: { readonly text: string } };
  };
}

const pastWords = (row: z.output<typeof Past>): string => {
  const by = row.resolvedBy === undefined ? '' : `, resolved by ${quoted(row.resolvedBy.name)}`;
  const notes = row.resolutionNotes === undefined ? '' : `, resolution: ${quoted(row.resolutionNotes)}`;
  return `${rowWords(row)}${by}${notes}`;
};

const remembering = tool({
  name: 'find_similar',
  title: 'Find earlier events with the same problem',
  description:
    'Finds other events with the same problem as an event, newest first: on the same CI and elsewhere, with how they were resolved. Searches the newest 500 events of the CI and the newest 500 with the words of the title.',
  endpoint: getEvent,
  input: z.strictObject({ event: eventId, limit: rows(25, 10) }),
  output: z.object({
    event: z.string(),
    history: z.string().nullable().describe('Summary of earlier occurrences in the last 30 days'),
    events: z.array(Past),
    truncated,
  }),
  async run({ ask }, { event: id, limit }) {
    const { event } = (await ask(getEvent, { params: { eventId: id } })).body as OneEvent;
    const words = event.title.match(WORD)?.slice(0, MAX_WORDS).join(' ').slice(0, MAX_SEARCH);
    const narrowed = [
      ...(event.ciId === undefined ? [] : [{ ciId: event.ciId._id }]),
      ...(words === undefined ? [] : [{ search: words }]),
    ];
    const query = { view: 'row', limit: String(LOOKED_AT) };
    const lists = await Promise.all(narrowed.map((by) => ask(listEvents, { query: { ...query, ...by } })));
    const listed = lists.flatMap(({ body }) => (body as ListedEvents).events);
    const same = [...new Map(listed.map((one) => [one.eventId, one])).values()]
      .filter((one) => one.correlationSignature === event.correlationSignature && one.eventId !== event.eventId)
      .sort((a, b) => b.firstOccurrence.localeCompare(a.firstOccurrence));
    const isCut = lists.some(({ total: all }) => (all ?? 0) > LOOKED_AT);
    return {
      event: event.eventId,
      history: event.aiAnalysis?.history?.text ?? null,
      events: same.slice(0, limit),
      truncated: isCut || same.length > limit,
    };
  },
  tell: ({ event, history, events }) =>
    lines(
      events.length === 0
        ? `No other events with the same problem as ${event} found.`
        : `Other events with the same problem as ${event}:`,
      [...(history === null ? [] : [`History: ${quoted(history)}`]), ...events.map(pastWords)],
    ),
});

export const eventTools = [finding, remembering];
