import type { Claim } from '#domain/ai/evidence.ts';
import type { Event } from '#domain/event/event.ts';
import type { Findings } from '#features/ai/rules/findings.ts';
import { citeCi, citeEvent, minuteOf, quoted } from '../cite.ts';
import type { SubjectPicture } from './picture.ts';

/** Something that happened. */
export interface TimelineEntry {
  /** Event time, ms. */
  readonly at: number;
  readonly claim: Claim;
}

/** Events that a timeline tells of, and entries of it. */
const EVENTS = 12;
const ENTRIES = 30;

const happened = (at: number, text: string, refs: readonly string[]): TimelineEntry => ({
  at,
  claim: { text: `${minuteOf(at)}: ${text}.`, refs, certainty: 'fact' },
});

/** Beginning, changes of status with who made them, and end. */
function entriesOf(event: Event, refs: readonly string[], isCause: boolean): TimelineEntry[] {
  const cause = isCause ? ', named as the cause' : '';
  const changes = event.history.filter(({ from, to }) => from !== null && from !== to);
  return [
    happened(event.firstOccurrence, `${event.severity} ${quoted(event)} began${cause}`, refs),
    ...changes.map(({ at, by, to }) =>
      happened(at, `${quoted(event)} became ${to}${by === null ? '' : ` by ${by.name}`}`, refs),
    ),
  ];
}

/** The timeline, oldest first; with changes before the event, and the cause. */
export function sayTimeline({ analysed, events }: SubjectPicture, findings: Findings): TimelineEntry[] {
  const { about, cause } = analysed ?? { about: null, cause: null };
  const first = [cause, about?.event, ...(about?.changes.slice(0, 3).map(({ event }) => event) ?? [])];
  const told = [...new Map([...first, ...events].flatMap((event) => (event ? [[event.id, event]] : []))).values()];
  return told
    .slice(0, EVENTS)
    .flatMap((event) => {
      const own = citeEvent(findings, event);
      return own.length === 0 ? [] : entriesOf(event, [...own, ...citeCi(findings, event.ci)], event.id === cause?.id);
    })
    .sort((a, b) => a.at - b.at)
    .slice(0, ENTRIES);
}
