import { CI_STATUSES, type CiStatus } from '#domain/topology/topology.ts';
import type { Intent } from './intents.ts';
import { type Named, type Reading, subjectOf } from './reading.ts';
import type { ToolCall } from './tools.ts';

/** Calls of one answer by rules. */
const MAX_PLANNED = 3;
/** Of counts for which no time is said. */
export const USUAL_TIME = 'last 7 days';

const timeOf = ({ time }: Reading) => (time === null ? {} : { timeRange: time.text });
const ciOf = (subject: Named | null) => (subject === null ? {} : { ciId: subject.id });

const details = (ci: Named): ToolCall => ({ tool: 'get-ci-details', params: { ciId: ci.id } });
const number = (params: Extract<ToolCall, { tool: 'analytics-query' }>['params']): ToolCall => ({
  tool: 'analytics-query',
  params,
});

/** A call per severity; one for all when none is said. */
const events = (reading: Reading, subject: Named | null, time: { readonly timeRange?: string }): ToolCall[] => {
  const params = { ...ciOf(subject), ...time };
  if (reading.severities.length === 0) return [{ tool: 'search-events', params }];
  return reading.severities.map((severity) => ({ tool: 'search-events', params: { ...params, severity } }));
};

const isCiStatus = (text: string | null): text is CiStatus => CI_STATUSES.some((status) => status === text);
const cis = ({ ciType, ciStatus }: Reading): ToolCall => ({
  tool: 'search-cis',
  params: { ...(ciType !== null && { type: ciType }), ...(isCiStatus(ciStatus) && { status: ciStatus }) },
});

function depends(reading: Reading, subject: Named): ToolCall[] {
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

function count(reading: Reading, subject: Named | null): ToolCall[] | null {
  const { metric, severities } = reading;
  if (metric === null) return null;
  if (metric === 'cis') return [cis(reading)];
  const time = timeOf(reading);
  if (severities.length > 0 && metric === 'open_events') return events(reading, subject, {});
  if (severities.length > 0 && metric === 'events') return events(reading, subject, { timeRange: USUAL_TIME, ...time });
  return [number({ metric, ...ciOf(subject), ...time })];
}

/** The same metric of two CIs, or of the time that is said and the equal one before. */
function compare(reading: Reading, subject: Named | null): ToolCall[] | null {
  const { metric, cis: named, time } = reading;
  if (metric === null && named.length === 0 && time === null) return null;
  const of = metric ?? 'events';
  if (named.length > 1)
    return named.slice(0, MAX_PLANNED).map(({ id }) => number({ metric: of, ciId: id, ...timeOf(reading) }));
  if (time === null) return null;
  const { from, to } = time.range;
  const iso = (ms: number): string => new Date(ms).toISOString();
  const before = `${iso(Math.max(0, 2 * from - to))} to ${iso(from)}`;
  return [time.text, before].map((timeRange) => number({ metric: of, ...ciOf(subject), timeRange }));
}

function about(intent: Intent, reading: Reading, subject: Named): ToolCall[] {
  switch (intent) {
    case 'impact':
      return [details(subject)];
    case 'depends':
      return depends(reading, subject);
    case 'changes':
      return [details(subject), number({ metric: 'changes', ciId: subject.id, ...timeOf(reading) })];
    case 'why':
      return [{ tool: 'search-events', params: { ciId: subject.id, ...timeOf(reading) } }, details(subject)];
    default:
      return [details(subject), { tool: 'search-events', params: { ciId: subject.id, ...timeOf(reading) } }];
  }
}

/** What is asked of everything, where no CI is named. */
function ofAll(intent: Intent, reading: Reading): ToolCall[] | null {
  switch (intent) {
    case 'why':
      return events(reading, null, timeOf(reading));
    case 'changes':
      return [number({ metric: 'changes', ...timeOf(reading) })];
    case 'status':
      if (reading.metric === 'cis') return [cis(reading)];
      if (reading.metric !== null) return [number({ metric: reading.metric, ...timeOf(reading) })];
      return reading.notUnderstood.length > 0
        ? null
        : [{ tool: 'get-context', params: {} }, ...events(reading, null, {})];
    default:
      return null;
  }
}

/** What is about one CI takes that of the conversation although nothing points back. */
const OF_CI: readonly Intent[] = ['impact', 'depends', 'why', 'changes', 'status'];

/** The calls that answer a message, at most 3; null: it is not understood, or it lacks what it is about. */
export function planFor(reading: Reading): readonly ToolCall[] | null {
  const { intent, ambiguous, missing, cis: named } = reading;
  const lost = [...ambiguous, ...missing];
  if (lost.length > 0 && named.length === 0)
    return lost.slice(0, MAX_PLANNED).map((name) => ({ tool: 'search-cis', params: { name } }));
  const effective = intent ?? (named.length > 0 ? 'status' : null);
  if (effective === null) return null;
  const subject = subjectOf(reading);
  // It points back, and there is nothing behind it.
  if (subject === null && reading.pointsBack && effective !== 'help') return null;
  return planned(effective, reading, subject)?.slice(0, MAX_PLANNED) ?? null;
}

function planned(intent: Intent, reading: Reading, subject: Named | null): readonly ToolCall[] | null {
  switch (intent) {
    case 'help':
      return [{ tool: 'get-context', params: {} }];
    case 'count':
      return count(reading, subject);
    case 'compare':
      return compare(reading, subject);
    case 'events':
      return reading.metric === 'cis' && subject === null ? [cis(reading)] : events(reading, subject, timeOf(reading));
    case 'find':
      return find(reading, subject);
    default: {
      const meant = subject ?? (OF_CI.includes(intent) && reading.metric === null ? reading.current : null);
      return meant === null ? ofAll(intent, reading) : about(intent, reading, meant);
    }
  }
}

function find(reading: Reading, subject: Named | null): readonly ToolCall[] | null {
  if (subject !== null) return about('status', reading, subject);
  if (reading.metric === 'cis' || reading.ciType !== null || reading.ciStatus !== null) return [cis(reading)];
  return reading.metric === null ? null : [number({ metric: reading.metric, ...timeOf(reading) })];
}
