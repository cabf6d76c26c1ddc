import type { Event } from '#domain/event/event.ts';
import { clockTime, counted } from '#features/ai/rules/findings.ts';
import { confident, type Finding, quotedTitle } from './finding.ts';

/** Time after which an unacknowledged severe event is overdue. */
export const WAITING_HOURS = 24;
const MIN_WAITING = 3;

export interface WaitingSeen {
  /** Severe events that have been open and unacknowledged for a day. */
  readonly total: number;
  /** Severe events of the range. */
  readonly severe: number;
  /** Some of them, oldest first. */
  readonly oldest: readonly Event[];
  readonly now: number;
}

const HOUR_MS = 3_600_000;

/** Finds unattended severe events. */
export const detectNeverAcknowledged = ({ total, severe, oldest, now }: WaitingSeen): Finding[] => {
  const [first] = oldest;
  if (first === undefined || total < MIN_WAITING) return [];
  const hours = Math.floor((now - first.firstOccurrence) / HOUR_MS);
  return [
    {
      kind: 'never-acknowledged',
      subject: 'severe',
      severity: 'major',
      title: `${total} severe events never acknowledged`,
      detail: `${total} of ${counted(severe, 'severe event')} have been open for more than ${WAITING_HOURS} hours and were never acknowledged. The oldest, ${quotedTitle(first.title)}, started at ${clockTime(first.firstOccurrence)}.`,
      recommendation: 'Assign them to a team, or resolve those that have ended.',
      metric: { name: 'severe events never acknowledged', value: total, unit: 'count', threshold: MIN_WAITING },
      confidence: confident(0.95),
      ciIds: oldest.flatMap(({ ci }) => ci?.id ?? []),
      cite: (findings) => [
        findings.event(first, [
          { name: 'severe events never acknowledged', value: total },
          { name: 'severe events', value: severe },
          { name: 'open hours', value: hours },
          { name: 'limit hours', value: WAITING_HOURS },
        ]),
        ...oldest.slice(1, 2).map((event) => findings.event(event)),
      ],
    },
  ];
};
