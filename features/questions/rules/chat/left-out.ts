import type { Entity } from '#features/questions/rules/grammar/draft.ts';
import type { MessageReading } from './reading.ts';
import type { ToolCall } from './tools.ts';

type Params = Readonly<Record<string, string | undefined>>;

const valuesIn = (text: string | undefined): readonly string[] => text?.split(',') ?? [];
const UNRESOLVED: readonly string[] = ['open', 'acknowledged'];
/** Topics that a view of a whole CI includes anyway. */
const OF_WHOLE: ReadonlySet<Entity['kind']> = new Set(['text', 'severity', 'status', 'group']);
/** `the database db-1`: what is named is one. */
const isOfNamed = ({ kind, text }: Entity): boolean => kind === 'ci_type' && !/s$/i.test(text);

/** Whether a call narrows by what was said. */
function isMet({ kind, value }: Entity, { tool, params }: ToolCall, { intent }: MessageReading): boolean {
  const given: Params = { ...params };
  switch (kind) {
    case 'severity':
    case 'source':
    case 'environment':
      return given[kind] !== undefined;
    case 'status': {
      const isOpenList = tool === 'search-events' && given.timeRange === undefined && given.status === undefined;
      const isOpen = given.metric === 'open_events' || isOpenList;
      return valuesIn(given.status).includes(value) || (isOpen && UNRESOLVED.includes(value)) || tool === 'search-cis';
    }
    case 'ci_type':
      return given.type !== undefined;
    case 'text':
      return given.text !== undefined;
    case 'time':
      return given.timeRange !== undefined;
    case 'compare':
      return intent === 'compare';
    // Names of CIs and services are looked up, and told when they are not found.
    case 'metric':
    case 'ci':
    case 'service':
      return true;
    default:
      return false;
  }
}

/** Parameters that a CI can be. */
const OF_CI = ['ciId', 'sourceId', 'targetId', 'name', 'groupId'];

/** Requests that no tool can fulfil. */
const WISHES: ReadonlySet<Entity['kind']> = new Set(['sort', 'group', 'limit']);

/** Parts of the message that neither narrow, order nor divide the reads of these calls, in its own words. */
export function leftOut(reading: MessageReading, calls: readonly ToolCall[]): readonly string[] {
  const { intent, cis, missing, ambiguous, conditions, notUnderstood } = reading;
  if (calls.length === 0) {
    const wishes = conditions.filter(({ kind }) => WISHES.has(kind)).map(({ text }) => text);
    return [...new Set([...notUnderstood, ...(intent === 'compare' ? [] : wishes), ...missing, ...ambiguous])];
  }
  const isOfCi = calls.some(({ tool }) => tool === 'get-ci-details' || tool === 'search-relationships');
  const isOfName = calls.every(({ tool, params }) => tool === 'search-cis' && 'name' in params);
  const isHelp = intent === 'help';
  const unmet = conditions.filter(
    (one) =>
      !(isOfCi && (OF_WHOLE.has(one.kind) || isOfNamed(one))) && !calls.some((call) => isMet(one, call, reading)),
  );
  const isNoCi = calls.every(({ params }) => !OF_CI.some((name) => name in params));
  const unused = isNoCi ? cis.map(({ name }) => name) : [];
  // Where only names are looked up, nothing was asked that could be narrowed.
  const texts = isOfName || isHelp ? [] : unmet.map(({ text }) => text);
  const lost = cis.length > 0 ? [...missing, ...ambiguous] : [];
  return [...new Set([...notUnderstood, ...texts, ...unused, ...lost])];
}
