import { CI_STATUSES, type CiStatus } from '#domain/topology/topology.ts';
import type { Metric } from '#features/questions/rules/query.ts';
import type { Intent } from './intents.ts';
import { type MessageReading, type Named, subjectOf } from './reading.ts';
import type { ToolCall } from './tools.ts';

/** Calls of one answer by rules. */
const MAX_PLANNED = 3;

/** Filters of events that the message says, as parameters. */
const CONDITIONS = [
  ['status', 'status'],
  ['source', 'source'],
  ['ci_type', 'type'],
] as const;
const valuesOf = ({ conditions }: MessageReading, wanted: string): string[] => [
  ...new Set(conditions.flatMap(({ kind, value }) => (kind === wanted ? value.split(', ') : []))),
];
const textOf = (reading: MessageReading): string => valuesOf(reading, 'text').join(' ');

/** Filters of events; `hasText`: complaints are searched, too. */
function narrowing(reading: MessageReading, hasText: boolean) {
  const given = CONDITIONS.flatMap(([kind, name]) => {
    const values = valuesOf(reading, kind);
    return values.length === 0 ? [] : [[name, values.join(',')] as const];
  });
  const text = hasText ? textOf(reading) : '';
  const { severities } = reading;
  return {
    ...(severities.length > 0 && { severity: severities.join(',') }),
    ...(Object.fromEntries(given) as { readonly status?: string; readonly source?: string; readonly type?: string }),
    ...(text !== '' && { text }),
  };
}

const timeOf = ({ time }: MessageReading) => (time === null ? {} : { timeRange: time.text });
const ciOf = (subject: Named | null) => (subject === null ? {} : { ciId: subject.id });

const ended = (ci: Named): ToolCall => ({ tool: 'search-events', params: { ciId: ci.id, status: 'resolved' } });
const details = (ci: Named): ToolCall => ({ tool: 'get-ci-details', params: { ciId: ci.id } });
const number = (params: Extract<ToolCall, { tool: 'analytics-query' }>['params']): ToolCall => ({
  tool: 'analytics-query',
  params,
});

const events = (reading: MessageReading, subject: Named | null): ToolCall => {
  const { status, ...further } = narrowing(reading, true);
  // Open ones are what is listed anyway.
  const isOpen = status === 'open' && !isUnacknowledged(reading) && reading.time === null;
  const params = {
    ...ciOf(subject),
    ...further,
    ...(status !== undefined && !isOpen && { status }),
    ...timeOf(reading),
  };
  return { tool: 'search-events', params };
};
const isUnacknowledged = ({ conditions }: MessageReading): boolean =>
  conditions.some(({ kind, text }) => kind === 'status' && /ack/i.test(text));

const isCiStatus = (text: string | null): text is CiStatus => CI_STATUSES.some((status) => status === text);
const cis = ({ ciType, ciStatus }: MessageReading): ToolCall => ({
  tool: 'search-cis',
  params: { ...(ciType !== null && { type: ciType }), ...(isCiStatus(ciStatus) && { status: ciStatus }) },
});

function depends(reading: MessageReading, subject: Named): ToolCall[] {
  const [from, to] = reading.cis;
  if (from !== undefined && to !== undefined)
    return [
      { tool: 'search-relationships', params: { sourceId: from.id, targetId: to.id } },
      { tool: 'search-relationships', params: { sourceId: to.id, targetId: from.id } },
    ];
  const up: ToolCall = { tool: 'search-relationships', params: { sourceId: subject.id } };
  const down: ToolCall = { tool: 'search-relationships', params: { targetId: subject.id } };
  return reading.direction === 'both' ? [up, down] : [reading.direction === 'up' ? up : down];
}

/** Metrics of events, which alone are narrowed by what events have. */
const OF_EVENTS: ReadonlySet<Metric> = new Set([
  'events',
  'occurrences',
  'incidents',
  'open_events',
  'mttr',
  'mtta',
  'dedup_ratio',
  'correlated_share',
  'changes',
]);

/** A number, narrowed by all that was said. */
function measured(reading: MessageReading, metric: Metric, subject: Named | null): ToolCall {
  const { status, ...further } = OF_EVENTS.has(metric) ? narrowing(reading, true) : {};
  const environment = OF_EVENTS.has(metric) ? valuesOf(reading, 'environment').join(',') : '';
  // Their name says that they are open.
  const isSaid = metric === 'open_events' && !isUnacknowledged(reading);
  return number({
    metric,
    ...ciOf(subject),
    ...further,
    ...timeOf(reading),
    ...(status !== undefined && !isSaid && { status }),
    ...(environment !== '' && { environment }),
  });
}

const count = (reading: MessageReading, subject: Named | null): ToolCall[] | null => {
  const { metric } = reading;
  if (metric === null) return null;
  return [metric === 'cis' ? cis(reading) : measured(reading, metric, subject)];
};

/** The same metric of two CIs, or of the time that is said and the equal one before. */
function compare(reading: MessageReading, subject: Named | null): ToolCall[] | null {
  const { metric, cis: named, time } = reading;
  if (metric === null && named.length === 0 && time === null) return null;
  const of = metric ?? 'events';
  if (named.length > 1) return named.slice(0, MAX_PLANNED).map((ci) => measured(reading, of, ci));
  if (time === null) return null;
  const { from, to } = time.range;
  const iso = (ms: number): string => new Date(ms).toISOString();
  const before = `${iso(Math.max(0, 2 * from - to))} to ${iso(from)}`;
  const { params } = measured(reading, of, subject);
  return [time.text, before].map(
    (timeRange) => ({ tool: 'analytics-query', params: { ...params, timeRange } }) as ToolCall,
  );
}

function about(intent: Intent, reading: MessageReading, subject: Named): ToolCall[] {
  switch (intent) {
    case 'impact':
      return [details(subject)];
    case 'depends':
      return depends(reading, subject);
    case 'changes':
      return [details(subject), number({ metric: 'changes', ciId: subject.id, ...timeOf(reading) })];
    case 'why':
      return [
        { tool: 'search-events', params: { ciId: subject.id, ...timeOf(reading) } },
        // Of a time, what has ended is listed anyway.
        ...(reading.time === null ? [ended(subject)] : []),
        details(subject),
      ];
    default:
      return [details(subject), { tool: 'search-events', params: { ciId: subject.id, ...timeOf(reading) } }];
  }
}

/** Questions about the whole estate, where no CI is named. */
function ofAll(intent: Intent, reading: MessageReading): ToolCall[] | null {
  switch (intent) {
    case 'why':
      // The cause of something else would be no answer.
      return reading.notUnderstood.length > 0 ? null : [events(reading, null)];
    case 'changes':
      return [measured(reading, 'changes', null)];
    case 'impact':
      return reading.notUnderstood.length > 0 ? null : [{ tool: 'get-context', params: {} }];
    case 'status':
      if (reading.metric === 'cis') return [cis(reading)];
      if (reading.metric !== null) return [measured(reading, reading.metric, null)];
      return reading.notUnderstood.length > 0 ? null : [{ tool: 'get-context', params: {} }, events(reading, null)];
    default:
      return null;
  }
}

/** A question about one CI takes that of the conversation although nothing points back. */
const OF_CI: readonly Intent[] = ['impact', 'depends', 'why', 'changes', 'status'];

/** Whether the CI of the conversation is what is meant. */
const usesCurrent = (intent: Intent, { pointsBack, current, metric }: MessageReading): boolean =>
  current !== null && (pointsBack || (OF_CI.includes(intent) && metric === null));

/** `who resolved the most`: people are in no tool; `who uses it` asks for systems. */
const isAboutPeople = (intent: Intent, { isOfPerson }: MessageReading): boolean =>
  isOfPerson && intent !== 'depends' && intent !== 'impact';

/** `all but zabbix`: what is excluded is not to be listed; `why is it not up` excludes nothing. */
const isDenied = (intent: Intent, reading: MessageReading): boolean => reading.isDenied && LISTING.includes(intent);
const LISTING: readonly Intent[] = ['count', 'compare', 'events', 'find', 'changes'];

/** `which host has the most`: a number of all is no answer. */
const isRanked = (intent: Intent, { conditions }: MessageReading): boolean =>
  ['count', 'events', 'find', 'status'].includes(intent) && conditions.some(({ kind }) => kind === 'sort');

/** The calls that answer a message, at most 3; null: it is not understood, or it lacks what it is about. */
export function planFor(reading: MessageReading): readonly ToolCall[] | null {
  const { intent, ambiguous, missing, cis: named, groups } = reading;
  if (intent !== 'order' && groups.length > 0)
    return groups.slice(0, MAX_PLANNED).map((groupId) => ({ tool: 'search-events', params: { groupId } }));
  const lost = intent === 'order' ? [] : [...ambiguous, ...missing];
  if (lost.length > 0 && named.length === 0)
    return lost.slice(0, MAX_PLANNED).map((name) => ({ tool: 'search-cis', params: { name } }));
  const effective = intent ?? (named.length > 0 ? 'status' : null);
  if (effective === null || effective === 'order') return null;
  const isOfConversation = named.length === 0 && effective !== 'help';
  // The question may be about something else altogether.
  if (isOfConversation && usesCurrent(effective, reading) && reading.notUnderstood.length > 0) return null;
  if (isAboutPeople(effective, reading) || isRanked(effective, reading) || isDenied(effective, reading)) return null;
  const subject = subjectOf(reading);
  // It points back, and there is nothing behind it.
  if (subject === null && reading.pointsBack && effective !== 'help') return null;
  return planned(effective, reading, subject)?.slice(0, MAX_PLANNED) ?? null;
}

function planned(intent: Intent, reading: MessageReading, subject: Named | null): readonly ToolCall[] | null {
  switch (intent) {
    case 'help':
      return [{ tool: 'get-context', params: {} }];
    case 'count':
      return count(reading, subject);
    case 'compare':
      return compare(reading, subject);
    case 'events':
      return reading.metric === 'cis' && subject === null ? [cis(reading)] : [events(reading, subject)];
    case 'find':
      return find(reading, subject);
    default: {
      const meant = subject ?? (OF_CI.includes(intent) && reading.metric === null ? reading.current : null);
      return meant === null ? ofAll(intent, reading) : about(intent, reading, meant);
    }
  }
}

function find(reading: MessageReading, subject: Named | null): readonly ToolCall[] | null {
  if (subject !== null) return about('status', reading, subject);
  if (reading.metric === 'cis' || reading.ciType !== null || reading.ciStatus !== null) return [cis(reading)];
  return reading.metric === null ? null : [measured(reading, reading.metric, null)];
}
