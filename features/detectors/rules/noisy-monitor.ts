import type { Event } from '#domain/event/event.ts';
import { percent } from '#domain/numbers.ts';
import { counted } from '#features/ai/rules/findings.ts';
import { confident, type Finding, quotedTitle } from './finding.ts';

/** Of all events of the range. */
export const NOISY_SHARE = 0.05;
/** Fewer say nothing of whether anybody acts. */
const LEAST_EVENTS = 20;

/** A complaint with much of all events. */
export interface LoudSignature {
  readonly signature: string;
  readonly source: string;
  readonly newest: Event;
  /** Its events of the range, and all of the range. */
  readonly count: number;
  readonly total: number;
  /** Of `count` those that somebody acknowledged. */
  readonly acknowledged: number;
  /** The newest of them, as far as they were looked at. */
  readonly sample: readonly Event[];
}

/** A person did something about it. */
const isActedOn = (event: Event): boolean =>
  event.acknowledgedAt !== undefined ||
  event.resolvedBy !== undefined ||
  event.assignedTo !== undefined ||
  event.assignedTeam !== undefined ||
  event.history.some(({ by }) => by !== null);

/** A monitor that tells much and that nobody ever acts on. */
export const detectNoisyMonitors = (seen: readonly LoudSignature[]): Finding[] =>
  seen
    .filter(({ count, total }) => count >= LEAST_EVENTS && count >= NOISY_SHARE * total)
    .filter(({ acknowledged, sample }) => acknowledged === 0 && sample.length > 0 && !sample.some(isActedOn))
    .map(({ signature, source, newest, count, total, sample }) => ({
      kind: 'noisy-monitor',
      subject: `${source} ${signature}`,
      severity: 'minor',
      title: `Noise from ${source}: ${quotedTitle(newest.title)}`,
      detail: `${percent(count / total)} of all events, ${count} of ${total}, and nobody acted on any of the ${counted(sample.length, 'event')} looked at.`,
      recommendation: 'Switch it off, raise its threshold, or lower its severity; what matters is lost among it.',
      metric: { name: 'share of all events', value: count / total, unit: 'share', threshold: NOISY_SHARE },
      confidence: confident(1 - 1 / (1 + sample.length / 10)),
      ciIds: newest.ci === null ? [] : [newest.ci.id],
      cite: (findings) => [
        findings.event(newest, [
          { name: 'events of the complaint', value: count },
          { name: 'all events', value: total },
          { name: 'looked at', value: sample.length },
        ]),
      ],
    }));
