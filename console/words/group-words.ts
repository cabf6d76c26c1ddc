import type { GroupRow } from '#console/api/groups.ts';
import { CERTAIN } from '#domain/correlation/root-cause/certain.ts';
import { SEVERITIES } from '#domain/event/event.ts';
import { count, names, number, openCounts, percent, plain } from './counts.ts';

type Row = GroupRow;

const REASONS: ReadonlyMap<string, string> = new Map([
  ['earliest_severe_event_upstream_dependency', 'earliest severe event, upstream of the others'],
  ['earliest_severe_event', 'earliest severe event'],
  ['upstream_dependency', 'upstream of the others'],
  ['earliest_event', 'earliest event'],
]);

/** The reasoning of the server as an operator says it. */
export const reasonWords = (reasoning: string): string => REASONS.get(reasoning) ?? reasoning.replaceAll('_', ' ');

/** The thing that the cause is about: its CI, else its host. */
export const causeName = ({ rootCause }: Row): string | null => rootCause?.ciId?.name ?? rootCause?.hostname ?? null;

export const isCertain = ({ rootCauseCandidate }: Row): boolean => (rootCauseCandidate?.confidence ?? 0) >= CERTAIN;

/** `76 % sure`; of a cause that is not certain the second best, too: `25 %, cause not certain, or: Disk full on db-1`. */
export const sureWords = ({ rootCauseCandidate: candidate, secondBest }: Row): string => {
  if (candidate === null) return 'cause not certain';
  const sure = percent(candidate.confidence);
  if (candidate.confidence >= CERTAIN) return `${sure} sure`;
  const on = secondBest?.ciName;
  const second =
    secondBest === null ? '' : `, or: ${secondBest.title}${on && !secondBest.title.includes(on) ? ` on ${on}` : ''}`;
  return `${sure}, cause not certain${second}`;
};

/** An event in no group, shown as a group of one. */
export const isLone = ({ kind }: Pick<Row, 'kind'>): boolean => kind === 'event';

/** Address below `ui/`. */
export const rowPath = ({ kind, correlationId }: Pick<Row, 'kind' | 'correlationId'>): string =>
  isLone({ kind }) ? `/events?event=${correlationId}` : `/groups/${correlationId}`;

/** The worst of some rows; undefined: there are none with a severity. */
export const worstOf = <R extends Pick<Row, 'severity'>>(rows: readonly R[]): R | undefined =>
  rows
    .filter(({ severity }) => severity !== null)
    .toSorted((a, b) => SEVERITIES.indexOf(a.severity ?? 'info') - SEVERITIES.indexOf(b.severity ?? 'info'))[0];

/** `Ada`, `Night shift`, `Ada, Night shift`; null: unassigned. */
export const assigneeOf = ({ assignedTo, assignedTeam }: Pick<Row, 'assignedTo' | 'assignedTeam'>): string | null => {
  const known = [assignedTo?.name, assignedTeam?.name].filter((name) => name !== undefined);
  return known.length === 0 ? null : known.join(', ');
};

/** `62 events`, `2 of 62 open`, `2 open, 1 acknowledged of 62`. */
export const openWords = ({ counts }: Pick<Row, 'counts'>): string => {
  const { open, acknowledged, suppressed, resolved } = counts;
  const on = open + acknowledged;
  const all = on + suppressed + resolved;
  if (on === all || on === 0) return count(all, 'event');
  if (open === 0 || acknowledged === 0)
    return `${number(on)} of ${number(all)} ${open === 0 ? 'acknowledged' : 'open'}`;
  return `${openCounts({ open: on, acknowledged })} of ${number(all)}`;
};

export const stateWords = ({ status, growing }: Pick<Row, 'status' | 'growing'>): string =>
  status === 'active' && growing ? 'Active, growing' : plain(status);

/** A list names no more of the CIs that a root cause explains; `100+ CIs` when it may explain others. */
const MOST_EXPLAINED = 100;
export const explainedWords = (explained: number, hasMore = explained >= MOST_EXPLAINED): string =>
  count(explained, 'CI').replace(/^(\S+)/, hasMore ? '$1+' : '$1');

/** `48 CIs behind ams2-ups-b`. */
export const reachWords = (row: Row): string => {
  const explained = row.rootCauseCandidate?.explains.length ?? 0;
  const cause = causeName(row);
  if (isCertain(row) && explained > 0 && cause !== null) return `${explainedWords(explained)} behind ${cause}`;
  return row.cis.count > 0 ? `on ${count(row.cis.count, 'CI')}` : 'no CI known';
};

type Hit = Pick<Row, 'services' | 'servicesHit'>;

/** `Shop and Billing hit`, those that are hit now; when none is any more, `Shop was hit`; empty when none ever was. */
export const hitWords = ({ services, servicesHit }: Hit): string => {
  if (servicesHit.count > 0) return `${names(servicesHit.names, servicesHit.count)} hit`;
  if (services.count === 0) return '';
  return `${names(services.names, services.count)} ${services.count === 1 ? 'was' : 'were'} hit`;
};

/** One sentence: `62 events, 48 CIs behind ams2-ups-b, Shop and Billing hit, unassigned`. */
export const sentence = (row: Row): string => {
  const hit = hitWords(row);
  return [openWords(row), reachWords(row), ...(hit ? [hit] : []), assigneeOf(row) ?? 'unassigned'].join(', ');
};
