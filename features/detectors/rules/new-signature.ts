import { type Event, isSevere } from '#domain/event/event.ts';
import { clockTime, counted } from '#features/ai/rules/findings.ts';
import { confident, type Finding, quotedTitle } from './finding.ts';

/** Time without a similar event, of which this much must be known. */
export const UNHEARD_DAYS = 30;
const MIN_KNOWN_DAYS = 7;
/** Number from which less severe ones are reported. */
const MANY_EVENTS = 5;

export interface SignatureSeen {
  readonly signature: string;
  /** Its newest event of the range. */
  readonly newest: Event;
  /** Events of the range, and of the 30 days before it. */
  readonly count: number;
  readonly before: number;
  /** Days of these 30 since the tenant's first event. */
  readonly knownDays: number;
}

/** Finds a new problem. */
export const detectNewSignatures = (seen: readonly SignatureSeen[]): Finding[] =>
  seen
    .filter(({ before, knownDays }) => before === 0 && knownDays >= MIN_KNOWN_DAYS)
    .filter(({ newest, count }) => isSevere(newest.severity) || count >= MANY_EVENTS)
    .map(({ signature, newest, count, knownDays }) => ({
      kind: 'new-signature',
      subject: signature,
      severity: isSevere(newest.severity) ? 'major' : 'minor',
      title: `New problem: ${quotedTitle(newest.title)}`,
      detail: `${counted(count, 'event')} with this problem, last at ${clockTime(newest.lastOccurrence)}; none in the ${Math.floor(knownDays)} days before.`,
      recommendation: 'Check what changed before it: a release, a new check or a new problem.',
      metric: { name: 'events of the problem', value: count, unit: 'count', threshold: 1 },
      confidence: confident(0.5 + (0.45 * Math.min(knownDays, UNHEARD_DAYS)) / UNHEARD_DAYS),
      ciIds: newest.ci === null ? [] : [newest.ci.id],
      cite: (findings) => [
        findings.event(newest, [
          { name: 'events of the problem', value: count },
          { name: 'days without it', value: Math.floor(knownDays) },
        ]),
      ],
    }));
