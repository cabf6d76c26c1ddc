import type { Event } from '#domain/event/event.ts';
import { isTouched } from '#domain/event/lifecycle/touched.ts';
import { percent } from '#domain/numbers.ts';
import { counted } from '#features/ai/rules/findings.ts';
import { confident, type Finding, quotedTitle } from './finding.ts';

/** Share of all events of the range. */
export const NOISY_SHARE = 0.05;
/** Minimum for a statement on actions. */
const MIN_EVENTS = 20;

/** A problem with a large share of all events. */
export interface LoudSignature {
  readonly signature: string;
  readonly source: string;
  readonly newest: Event;
  /** Its events of the range, and all of the range. */
  readonly count: number;
  readonly total: number;
  /** Acknowledged ones of `count`. */
  readonly acknowledged: number;
  /** The newest of them, up to the scan limit. */
  readonly sample: readonly Event[];
}

/** Finds a monitor with many events and no action on any. */
export const detectNoisyMonitors = (seen: readonly LoudSignature[]): Finding[] =>
  seen
    .filter(({ count, total }) => count >= MIN_EVENTS && count >= NOISY_SHARE * total)
    .filter(({ acknowledged, sample }) => acknowledged === 0 && sample.length > 0 && !sample.some(isTouched))
    .map(({ signature, source, newest, count, total, sample }) => ({
      kind: 'noisy-monitor',
      subject: `${source} ${signature}`,
      severity: 'minor',
      title: `Noise from ${source}: ${quotedTitle(newest.title)}`,
      detail: `${percent(count / total)} of all events (${count} of ${total}); none of the ${counted(sample.length, 'event')} sampled was acted on.`,
      recommendation: 'Disable the check, raise its threshold or lower its severity.',
      metric: { name: 'share of all events', value: count / total, unit: 'share', threshold: NOISY_SHARE },
      confidence: confident(1 - 1 / (1 + sample.length / 10)),
      ciIds: newest.ci === null ? [] : [newest.ci.id],
      cite: (findings) => [
        findings.event(newest, [
          { name: 'events of the problem', value: count },
          { name: 'all events', value: total },
          { name: 'sampled', value: sample.length },
        ]),
      ],
    }));
