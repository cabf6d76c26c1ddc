import type { GroupDetailData, GroupRow } from '#console/api/groups.ts';
import { SET_BY_USER } from '#domain/correlation/grouping/group-state.ts';
import { CERTAIN } from '#domain/correlation/root-cause/certain.ts';
import { SEVERITIES } from '#domain/event/event.ts';
import { assigneeName, placeBeside, titledAt } from '#domain/event/event-words.ts';
import { percent } from '#domain/numbers.ts';
import { count, inSentence, names, number, openCounts, plain } from './counts.ts';
import * as shared from './texts.ts';

type Row = GroupRow;
type Cause = Pick<Row, 'rootCauseCandidate' | 'verdict'>;

const REASONS: ReadonlyMap<string, string> = new Map([
  ['earliest_severe_event_upstream_dependency', 'early severe event, upstream of the other CIs'],
  ['earliest_severe_event', 'early severe event'],
  ['upstream_dependency', 'upstream of the other CIs'],
  ['earliest_event', 'early event'],
  [SET_BY_USER, 'set by a user'],
]);

/** Returns the reasoning of the server in an operator's words. */
export const reasonWords = (reasoning: string): string => REASONS.get(reasoning) ?? reasoning.replaceAll('_', ' ');

type Titled = Pick<Row, 'causeName' | 'title'>;

export const titleOf = ({ title }: Pick<Row, 'title'>): string => title ?? shared.noRootCauseIdentified;

/** The thing that the group is about, where the title does not name it; null: nothing to add. */
export const titleSubject = (row: Titled): string | null => placeBeside(titleOf(row), row.causeName);

/** `db-1: Disk full`. */
export const groupTitle = (row: Titled): string => titledAt(titleOf(row), row.causeName);

/** Id of an event of it. */
export const eventOf = ({ kind, correlationId, rootCauseCandidate }: Row): string | undefined =>
  kind === 'event' ? correlationId : rootCauseCandidate?.eventId;

/** The user whose verdict replaced the scored candidate; undefined: none did. */
export const confirmedBy = ({ rootCauseCandidate, verdict }: Cause): string | undefined => {
  const set = verdict === null || verdict.cause === 'unknown' ? undefined : verdict.rootEventId;
  return set === undefined || set === rootCauseCandidate?.eventId ? undefined : verdict?.by.name;
};

export const confirmed = (by: string): string => `Confirmed by ${by}`;

/** Confidence of the scored candidate, where it is still the cause. */
export const confidenceOf = (row: Cause): number | undefined =>
  confirmedBy(row) === undefined ? row.rootCauseCandidate?.confidence : undefined;

export const isCertain = (row: Cause): boolean =>
  confirmedBy(row) !== undefined || (row.rootCauseCandidate?.confidence ?? 0) >= CERTAIN;

/** `76%, early severe event`; `confirmed by Ada`. */
export const howWords = (row: Row, { confidence, reasoning }: NonNullable<GroupDetailData['cause']>): string => {
  const by = confirmedBy(row);
  return by === undefined ? `${percent(confidence)}, ${reasonWords(reasoning)}` : inSentence(confirmed(by));
};

/** `76% confidence`, `Confirmed by Ada`; below 40% with the second best: `25%, low confidence; alternative: Disk full on db-1`. */
export const sureWords = (row: Row): string => {
  const { rootCauseCandidate: candidate, secondBest } = row;
  const by = confirmedBy(row);
  if (by !== undefined) return confirmed(by);
  if (candidate === null) return 'low confidence';
  const sure = percent(candidate.confidence);
  if (candidate.confidence >= CERTAIN) return `${sure} confidence`;
  const on = secondBest?.ciName;
  const second =
    secondBest === null
      ? ''
      : `; alternative: ${secondBest.title}${on && !secondBest.title.includes(on) ? ` on ${on}` : ''}`;
  return `${sure}, low confidence${second}`;
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
const MAX_EXPLAINED = 100;
export const explainedWords = (explained: number, hasMore = explained >= MAX_EXPLAINED): string =>
  count(explained, 'CI').replace(/^(\S+)/, hasMore ? '$1+' : '$1');

/** `48 CIs impacted by ams2-ups-b`. */
export const reachWords = (row: Row): string => {
  const explained = row.rootCauseCandidate?.explains.length ?? 0;
  const isScored = (confidenceOf(row) ?? 0) >= CERTAIN;
  if (isScored && explained > 0 && row.causeName !== null)
    return `${explainedWords(explained)} impacted by ${row.causeName}`;
  return row.cis.count > 0 ? `${count(row.cis.count, 'CI')} affected` : 'no CI bound';
};

type ServiceHits = Pick<Row, 'services' | 'servicesHit'>;

/** `Affects Shop and Billing`; when none is affected any more, `Affected Shop`; empty when none ever was. */
export const hitWords = ({ services, servicesHit }: ServiceHits): string => {
  if (servicesHit.count > 0) return `Affects ${names(servicesHit.names, servicesHit.count)}`;
  if (services.count === 0) return '';
  return `Affected ${names(services.names, services.count)}`;
};

/** One sentence: `62 events, 48 CIs impacted by ams2-ups-b, affects Shop and Billing, unassigned`. */
export const sentence = (row: Row): string => {
  const hit = hitWords(row);
  const assignee = assigneeName(row);
  return [
    openWords(row),
    reachWords(row),
    ...(hit ? [inSentence(hit)] : []),
    assignee === null ? 'unassigned' : `assigned to ${assignee}`,
  ].join(', ');
};
