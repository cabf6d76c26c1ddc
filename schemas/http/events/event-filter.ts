import { z } from 'zod';
import { assertDefined } from '#domain/assert.ts';
import { parseEventId, SEVERITIES, type Severity, STATUSES, type Status } from '#domain/event/event.ts';
import { canonicalHost } from '#domain/event/identity/system.ts';
import { isGlob } from '#domain/glob.ts';
import type { EventFilter } from '#domain/ports/events/event-store.ts';
import { commaList, commaWords, flag, listPattern, notWith } from '#schemas/http/common.ts';
import { TIME_RANGES, Time, TimeRange, WrittenTime } from '#schemas/http/time.ts';
import { storedSources } from '#sources/sources.ts';

const MAX_VALUES = 1_000;
/** Filters of events, to spread into a query; check the whole with `withinTime`. */
export const eventFilterFields = {
  status: commaList([...STATUSES, 'all']).optional(),
  severity: commaList(SEVERITIES).optional(),
  source: commaWords().optional(),
  timeRange: TimeRange.optional(),
  from: Time.optional(),
  to: Time.optional(),
  ciId: commaWords('CI IDs, comma-separated (any match)').optional(),
  correlationId: z.string().min(1).max(256).optional(),
  host: commaWords('Hostname patterns, comma-separated; * matches any characters, ? exactly one').optional(),
  service: commaWords('Service name of the source, otherwise application name; comma-separated').optional(),
  businessService: commaWords(
    'IDs or names from GET /api/services, comma-separated: events on a component or a CI that one depends on',
  ).optional(),
  environment: commaWords().optional(),
  tag: commaWords('Comma-separated list (any match)').optional(),
  ids: commaWords('Event IDs, comma-separated')
    .refine((ids) => ids.every((id) => parseEventId(id) !== null), 'expected event IDs')
    .optional()
    .meta({ pattern: listPattern('(?:EVT-)?[0-7][0-9A-HJKMNP-TV-Z]{25}') }),
  assignee: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: 'me (with my teams), none, or the ID or name of a user or team' }),
  grouped: flag().optional(),
  bound: flag().optional(),
  usual: flag().optional(),
  search: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .meta({ description: 'Words or word prefixes in title, description and hostname; all must match' }),
};
const FilterQuery = z.strictObject(eventFilterFields);
type EventFilterQuery = z.output<typeof FilterQuery>;

/** Refuses a range that ends before it begins, and one that is given twice. */
export const withinTime: z.core.CheckFn<Pick<EventFilterQuery, 'from' | 'to' | 'timeRange'>> = ({ value, issues }) => {
  const { from, to, timeRange } = value;
  if (timeRange !== undefined && (from !== undefined || to !== undefined))
    issues.push({
      code: 'custom',
      input: timeRange,
      path: ['timeRange'],
      message: "can't be combined with from or to",
    });
  if (from !== undefined && to !== undefined && from > to)
    issues.push({ code: 'custom', input: from, path: ['from'], message: 'must not be after to' });
};

/** Schema for readers of the document; problems are reported with the query. */
const asIn = (name: keyof typeof eventFilterFields) => {
  const { pattern } = z.toJSONSchema(eventFilterFields[name], { io: 'input', unrepresentable: 'any' });
  return pattern === undefined ? {} : { pattern };
};
const listed = (name: (typeof TEXTS)[number]) =>
  z
    .union([
      z.string().max(65_536).meta(asIn(name)),
      z
        .array(z.string().max(4_096).meta(asIn(name)))
        .max(MAX_VALUES)
        .meta({ minItems: 1 }),
    ])
    .optional()
    .meta({ description: `As ${name} of GET /api/events, or a list` });
const TEXTS = [
  'status',
  'severity',
  'source',
  'host',
  'service',
  'businessService',
  'environment',
  'tag',
  'ids',
  'ciId',
] as const;
const same = Object.fromEntries(TEXTS.map((name) => [name, listed(name)])) as Record<
  (typeof TEXTS)[number],
  ReturnType<typeof listed>
>;

/** A filter in a body: the fields of the query, with lists and booleans of JSON where there are some. */
export const EventFilterBody = z
  .strictObject({
    ...same,
    timeRange: TimeRange.optional(),
    from: WrittenTime.optional(),
    to: WrittenTime.optional(),
    correlationId: z.string().optional().meta({ minLength: 1, maxLength: 256 }),
    assignee: z.string().optional().meta({ minLength: 1, maxLength: 255 }),
    grouped: z.boolean().optional(),
    bound: z.boolean().optional(),
    usual: z.boolean().optional(),
    search: z.string().optional().meta({ minLength: 1, maxLength: 256 }),
  })
  .meta({ id: 'EventFilter', ...notWith('timeRange', 'from', 'to') })
  .transform((body, ctx): AskedFilter => {
    const text = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.join(',');
      return typeof value === 'boolean' ? String(value) : value;
    };
    const query = Object.fromEntries(Object.entries(body).map(([name, value]) => [name, text(value)]));
    const parsed = FilterQuery.check(withinTime).safeParse(query);
    if (parsed.success) return askedFilter(parsed.data);
    for (const { path, message } of parsed.error.issues)
      ctx.addIssue({ code: 'custom', input: body, path: [...path], message });
    return z.NEVER;
  });

/** A filter as requested: groups, CIs, services and users are still to be looked up. */
export interface AskedFilter {
  readonly filter: EventFilter;
  /** Length of the range that ends now, ms. */
  readonly lastMs?: number;
  readonly correlationId?: string;
  /** Ids or names of business services. */
  readonly businessServices?: readonly string[];
  /** `me`, `none`, or the id or name of a user or team. */
  readonly assignee?: string;
}

const given = <K extends string, V>(key: K, value: V | undefined) =>
  (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V };

const statusesOf = (words: readonly string[] | undefined): Status[] | undefined =>
  words === undefined || words.includes('all') ? undefined : (words as Status[]);
const hostOf = (host: string): string => (isGlob(host) ? host.trim().toLowerCase() : canonicalHost(host));

export const askedFilter = (query: EventFilterQuery): AskedFilter => ({
  filter: {
    ...given('statuses', statusesOf(query.status)),
    ...given('severities', query.severity as Severity[] | undefined),
    ...given('sources', query.source && storedSources(query.source)),
    ...given('from', query.from),
    ...given('to', query.to),
    ...given('ciId', query.ciId?.length === 1 ? query.ciId[0] : query.ciId),
    ...given('hosts', query.host?.map(hostOf)),
    ...given('services', query.service),
    ...given('environments', query.environment),
    ...given('tags', query.tag),
    ...given(
      'ids',
      query.ids?.map((id) => assertDefined(parseEventId(id), 'id of an event')),
    ),
    ...given('grouped', query.grouped),
    ...given('bound', query.bound),
    ...given('usual', query.usual),
    ...given('search', query.search),
  },
  ...given('lastMs', query.timeRange && TIME_RANGES[query.timeRange]),
  ...given('correlationId', query.correlationId),
  ...given('businessServices', query.businessService),
  ...given('assignee', query.assignee),
});
