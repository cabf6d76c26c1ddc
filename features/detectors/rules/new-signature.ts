import { type Event, isSevere } from '#domain/event/event.ts';
import { clockTime, counted } from '#features/ai/rules/findings.ts';
import { confident, type Finding, quotedTitle } from './finding.ts';

/** So long nothing like it was there, and so much of that time must be known. */
export const UNHEARD_DAYS = 30;
const LEAST_KNOWN_DAYS = 7;
/** Less severe ones are told from so many events on. */
const MANY_EVENTS = 5;

export interface SignatureSeen {
  readonly signature: string;
  /** Its newest event of the range. */
  readonly newest: Event;
  /** Events of the range, and of the 30 days before it. */
  readonly count: number;
  readonly before: number;
  /** Of these 30 days those since the tenant's first event. */
  readonly knownDays: number;
}

/** A complaint that was never heard before. */
export const detectNewSignatures = (seen: readonly SignatureSeen[]): Finding[] =>
  seen
    .filter(({ before, knownDays }) => before === 0 && knownDays >= LEAST_KNOWN_DAYS)
    .filter(({ newest, count }) => isSevere(newest.severity) || count >= MANY_EVENTS)
    .map(({ signature, newest, count, knownDays }) => ({
      kind: 'new-signature',
      subject: signature,
      severity: isSevere(newest.severity) ? 'major' : 'minor',
      title: `New complaint: ${quotedTitle(newest.title)}`,
      detail: `${counted(count, 'event')} with this complaint, last at ${clockTime(newest.lastOccurrence)}; none in the ${Math.floor(knownDays)} days before.`,
      recommendation: 'Find out what has changed since before it: a release, a new monitor, or a fault that is new.',
      metric: { name: 'events of the complaint', value: count, unit: 'count', threshold: 1 },
      confidence: confident(0.5 + (0.45 * Math.min(knownDays, UNHEARD_DAYS)) / UNHEARD_DAYS),
      ciIds: newest.ci === null ? [] : [newest.ci.id],
      cite: (findings) => [
        findings.event(newest, [
          { name: 'events of the complaint', value: count },
          { name: 'days without it', value: Math.floor(knownDays) },
        ]),
      ],
    }));
