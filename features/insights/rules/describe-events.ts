import type { Event } from '#domain/event/event.ts';
import { isSevere } from '#domain/event/event.ts';
import { durationText } from '#domain/numbers.ts';
import { rateChange } from '#domain/statistics/rate-test.ts';
import { clockTime, counted, type Findings, freeText } from '#features/ai/rules/findings.ts';
import { type CiEvents, type CiPicture, SPAN_DAYS, SPAN_MS } from './ci-picture.ts';
import { flappingOf } from './flapping.ts';

const NAMED = 3;
const SIMILAR = 3;
const SHORT = 80;

const short = (text: string): string => (text.length > SHORT ? `${text.slice(0, SHORT - 1)}…` : text);
const quoted = ({ title }: Event): string => `“${short(title)}”`;

/** Open events. */
export function describeOpen({ ci, events }: CiPicture, findings: Findings): void {
  if (events === null) return;
  const { open, openTotal } = events;
  const shown = open.slice(0, NAMED);
  const refs = [findings.ci(ci), ...shown.map((event) => findings.event(event))];
  if (openTotal === 0) findings.say('No open events.', refs);
  else {
    const listed = shown.map((event) => `${event.severity} ${quoted(event)}`).join('; ');
    const total = counted(openTotal, 'open event');
    findings.say(`${total}: ${listed}${openTotal > shown.length ? '; …' : '.'}`, refs);
  }
}

const CHANGES = { more: 'more than', fewer: 'fewer than', 'no change': 'no significant change from' } as const;

/** Two spans compared, unless the CI is too young for it. */
export function describeTrend({ ci, at, events }: CiPicture, findings: Findings): void {
  if (events === null || at - ci.createdAt < 2 * SPAN_MS) return;
  const { now, before } = events;
  const id = `events-of-${ci.id}`;
  const facts = [
    { name: `new events in ${SPAN_DAYS} days`, value: now },
    { name: `in the previous ${SPAN_DAYS} days`, value: before },
  ];
  const ref = findings.add({ kind: 'query', id, label: 'Events on the CI', facts, href: `/api/events?ciId=${ci.id}` });
  const change = CHANGES[rateChange(before, now)];
  findings.say(`${counted(now, 'new event')} in ${SPAN_DAYS} days, ${change} ${before} in the previous ${SPAN_DAYS}.`, [
    ref,
  ]);
}

/** Describes problems that start and end repeatedly. */
export function describeFlapping({ at, events }: CiPicture, findings: Findings): void {
  const recent = events?.recent.filter(({ lastOccurrence }) => lastOccurrence > at - SPAN_MS) ?? [];
  for (const { newest, times } of flappingOf(recent).slice(0, NAMED)) {
    const ref = findings.event(newest, [{ name: 'most starts within a day', value: times }]);
    findings.say(`${quoted(newest)} is flapping: ${times} times within 24h.`, [ref]);
  }
}

const isEnded = ({ status }: Event): boolean => status === 'resolved';

/** Returns earlier events similar to the open ones; without open events, the severe ones. */
function similarTo({ open, recent }: CiEvents): Event[] {
  const signatures = new Set(open.map(({ signature }) => signature));
  const ended = recent.filter(isEnded);
  const alike = ended.filter(({ signature }) => signatures.has(signature));
  return (open.length > 0 ? alike : ended.filter(({ severity }) => isSevere(severity))).slice(0, SIMILAR);
}

/** Describes the recorded end of a problem. */
function ending({ firstOccurrence, resolvedAt, resolvedBy, resolutionCategory, resolutionNotes }: Event): string {
  const parts = [
    resolvedAt === undefined ? 'ended' : `ended after ${durationText(resolvedAt - firstOccurrence)}`,
    ...(resolutionCategory === undefined ? [] : [`as ${resolutionCategory}`]),
    ...(resolvedBy === undefined ? [] : [`by ${resolvedBy.name}`]),
  ];
  return parts.join(' ') + (resolutionNotes === undefined ? '' : `: ${short(resolutionNotes)}`);
}

/** Problems of the CI that users set as the root cause of a group. */
export function describeJudged({ ci, events }: CiPicture, findings: Findings): void {
  for (const { rootTitle, by, at, note } of (events?.lessons ?? []).slice(0, SIMILAR)) {
    const said = note === null ? '' : `: ${short(note)}`;
    findings.say(`${by} set “${short(rootTitle)}” as root cause at ${clockTime(at)}${said}.`, [findings.ci(ci)]);
  }
}

/** Similar incidents and how they ended. */
export function describeSimilar({ events }: CiPicture, findings: Findings): void {
  for (const event of events === null ? [] : similarTo(events)) {
    const told = ending(event);
    const ref = findings.event(event, [freeText('ending', told)]);
    findings.say(`${quoted(event)} from ${clockTime(event.firstOccurrence)} ${told}.`, [ref]);
  }
}
