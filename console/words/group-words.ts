import type { GroupRow } from '#console/api/groups.ts';
import { CERTAIN } from '#domain/correlation/root-cause/certain.ts';
import { count, names, percent } from './counts.ts';

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

/** `nobody has it`, `Ada has it`, `Night shift has it`. */
export const keeper = ({ assignedTo, assignedTeam, acknowledgedBy }: Row): string | null =>
  assignedTo?.name ?? assignedTeam?.name ?? acknowledgedBy?.name ?? null;

/** `active, still growing`; `acknowledged by Ada`, when somebody else has it. */
export const stateWords = (row: Row): string => {
  const { status, growing, acknowledgedBy } = row;
  if (status === 'active' && growing) return 'active, still growing';
  const isSaid = acknowledgedBy === null || acknowledgedBy.name === keeper(row);
  return status === 'acknowledged' && !isSaid ? `acknowledged by ${acknowledgedBy.name}` : status;
};

/** `48 CIs behind ams2-ups-b`. */
export const reachWords = (row: Row): string => {
  const explained = row.rootCauseCandidate?.explains.length ?? 0;
  const cause = causeName(row);
  if (isCertain(row) && explained > 0 && cause !== null) return `${count(explained, 'CI')} behind ${cause}`;
  return row.cis.count > 0 ? `on ${count(row.cis.count, 'CI')}` : 'no CI known';
};

type Hit = Pick<Row, 'services' | 'servicesHit'>;

/** `Shop and Billing hit`, as the map says, else as events name them; empty when no service is. */
export const hitWords = ({ services, servicesHit }: Hit): string => {
  const { names: known, count: all } = servicesHit.count > 0 ? servicesHit : services;
  return all === 0 ? '' : `${names(known, all)} hit`;
};

/** One sentence: `62 events, 48 CIs behind ams2-ups-b, Shop and Billing hit, nobody has it`. */
export const sentence = (row: Row): string => {
  const hit = hitWords(row);
  return [
    count(row.eventCount, 'event'),
    reachWords(row),
    ...(hit ? [hit] : []),
    `${keeper(row) ?? 'nobody'} has it`,
  ].join(', ');
};
