import type { Event } from '#domain/event/event.ts';
import { isSevere } from '#domain/event/event.ts';
import { rateChange } from '#domain/statistics/rate-test.ts';
import { clockTime, counted, type Findings, freeText } from '#features/ai/rules/findings.ts';
import { type CiEvents, type CiPicture, DAY_MS, SPAN_DAYS, SPAN_MS } from './ci-picture.ts';
import { flappingOf } from './flapping.ts';

const NAMED = 3;
const SIMILAR = 3;
const SHORT = 80;

const short = (text: string): string => (text.length > SHORT ? `${text.slice(0, SHORT - 1)}…` : text);
const quoted = ({ title }: Event): string => `“${short(title)}”`;

/** Open events. */
export function sayOpen({ ci, events }: CiPicture, findings: Findings): void {
  if (events === null) return;
  const { open, openTotal } = events;
  const shown = open.slice(0, NAMED);
  const refs = [findings.ci(ci), ...shown.map((event) => findings.event(event))];
  if (openTotal === 0) findings.say('No event is open on it.', refs);
  else {
    const listed = shown.map((event) => `${event.severity} ${quoted(event)}`).join('; ');
    const total = counted(openTotal, 'event is', 'events are');
    findings.say(`${total} open on it: ${listed}${openTotal > shown.length ? '; …' : '.'}`, refs);
  }
}

const CHANGES = { more: 'more often than', fewer: 'less often than', 'no change': 'no change against' } as const;

/** Two spans compared, unless the CI is too young for it. */
export function sayTrend({ ci, at, events }: CiPicture, findings: Findings): void {
  if (events === null || at - ci.createdAt < 2 * SPAN_MS) return;
  const { now, before } = events;
  const id = `events-of-${ci.id}`;
  const facts = [
    { name: `new events in ${SPAN_DAYS} days`, value: now },
    { name: `in the ${SPAN_DAYS} days before`, value: before },
  ];
  const ref = findings.add({ kind: 'query', id, label: 'Events on the CI', facts, href: `/api/events?ciId=${ci.id}` });
  const change = CHANGES[rateChange(before, now)];
  findings.say(
    `It had ${counted(now, 'new event')} in ${SPAN_DAYS} days: ${change} the ${before} of the ${SPAN_DAYS} days before.`,
    [ref],
  );
}

/** Complaints that come and go. */
export function sayFlapping({ at, events }: CiPicture, findings: Findings): void {
  const recent = events?.recent.filter(({ lastOccurrence }) => lastOccurrence > at - SPAN_MS) ?? [];
  for (const { newest, times } of flappingOf(recent).slice(0, NAMED)) {
    const ref = findings.event(newest, [{ name: 'most beginnings within a day', value: times }]);
    findings.say(`${quoted(newest)} flaps: it began ${times} times within one day.`, [ref]);
  }
}

const isEnded = ({ status }: Event): boolean => status === 'resolved';

/** Earlier events like those that are open; with nothing open the severe ones. */
function similarTo({ open, recent }: CiEvents): Event[] {
  const signatures = new Set(open.map(({ signature }) => signature));
  const ended = recent.filter(isEnded);
  const alike = ended.filter(({ signature }) => signatures.has(signature));
  return (open.length > 0 ? alike : ended.filter(({ severity }) => isSevere(severity))).slice(0, SIMILAR);
}

function lasted(ms: number): string {
  if (ms >= 2 * DAY_MS) return `${Math.round(ms / DAY_MS)} days`;
  return ms >= 7_200_000 ? `${Math.round(ms / 3_600_000)} hours` : `${Math.max(1, Math.round(ms / 60_000))} min`;
}

/** How a problem ended, as far as it was said. */
function ending({ firstOccurrence, resolvedAt, resolvedBy, resolutionCategory, resolutionNotes }: Event): string {
  const parts = [
    resolvedAt === undefined ? 'ended' : `ended after ${lasted(resolvedAt - firstOccurrence)}`,
    ...(resolutionCategory === undefined ? [] : [`as ${resolutionCategory}`]),
    ...(resolvedBy === undefined ? [] : [`by ${resolvedBy.name}`]),
  ];
  return parts.join(' ') + (resolutionNotes === undefined ? '' : `: ${short(resolutionNotes)}`);
}

/** Similar incidents and how they ended. */
export function saySimilar({ events }: CiPicture, findings: Findings): void {
  for (const event of events === null ? [] : similarTo(events)) {
    const told = ending(event);
    const ref = findings.event(event, [freeText('ending', told)]);
    findings.say(`${quoted(event)} of ${clockTime(event.firstOccurrence)} ${told}.`, [ref]);
  }
}
