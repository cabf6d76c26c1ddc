import type { Event } from '#domain/event/event.ts';
import { clockTime, counted, type NamedCi } from '#features/ai/rules/findings.ts';
import { confident, type Finding, quotedTitle } from './finding.ts';

const HOUR_MS = 3_600_000;
/** Time after a change within which a severe event counts as its failure. */
const AFTERMATH_HOURS = 24;

/** A change, and the first severe event after it on its CI or on CIs that fail with it. */
export interface ChangeSeen {
  /** Title of the change. */
  readonly said: string;
  readonly at: number;
  readonly ci: NamedCi;
  /** The assessment of the change, or the event that reported it. */
  readonly by: { readonly kind: 'assessment'; readonly id: string } | { readonly kind: 'event'; readonly event: Event };
  /** Null: none arrived. */
  readonly failure: Event | null;
}

/** `12 minutes`, `1.5 hours`. */
const spanOf = (hours: number): string => {
  if (hours >= 1) return counted(Math.round(10 * hours) / 10, 'hour');
  const minutes = Math.round(60 * hours);
  return minutes === 0 ? 'less than a minute' : counted(minutes, 'minute');
};

/** Returns the last of the changes on one CI before the same failure: the earlier ones were fine until then. */
const lastBefore = (seen: readonly ChangeSeen[]): ChangeSeen[] =>
  seen.filter(
    ({ at, ci, failure }) =>
      failure !== null &&
      !seen.some((other) => other.failure?.id === failure.id && other.ci.id === ci.id && other.at > at),
  );

/** A change that was followed by a failure. */
export const detectFailedChanges = (seen: readonly ChangeSeen[]): Finding[] =>
  lastBefore(seen).flatMap(({ said, at, ci, by, failure }) => {
    const hours = failure === null ? Infinity : (failure.firstOccurrence - at) / HOUR_MS;
    if (failure === null || hours <= 0 || hours > AFTERMATH_HOURS) return [];
    const isHere = failure.ci?.id === ci.id;
    // Rounded for programs: a minute is 0.02.
    const told = Math.round(100 * hours) / 100;
    return [
      {
        kind: 'failed-change',
        subject: by.kind === 'assessment' ? by.id : by.event.id,
        severity: failure.severity === 'critical' ? 'major' : 'minor',
        title: `Possible failed change on ${ci.name}`,
        detail: `${quotedTitle(failure.title)}${isHere ? '' : ` on ${failure.ci?.name ?? 'a dependent CI'}`} started ${spanOf(hours)} after ${quotedTitle(said)} on ${ci.name} at ${clockTime(at)}.`,
        recommendation: 'Compare with the state before the change and roll back if it is the root cause.',
        metric: { name: 'hours after the change', value: told, unit: 'hours', threshold: AFTERMATH_HOURS },
        confidence: confident((isHere ? 0.8 : 0.6) - (0.3 * hours) / AFTERMATH_HOURS),
        ciIds: [ci.id, ...(failure.ci === null || isHere ? [] : [failure.ci.id])],
        cite: (findings) => [
          findings.event(failure, [
            { name: 'after the change', value: spanOf(hours) },
            { name: 'change at', value: clockTime(at) },
          ]),
          by.kind === 'event'
            ? findings.event(by.event)
            : findings.add({
                kind: 'record',
                id: by.id,
                label: `Change to ${ci.name}`,
                href: `/api/change-analysis/assessments/${by.id}`,
                facts: [{ name: 'change', value: said, isFreeText: true }],
              }),
        ],
      } satisfies Finding,
    ];
  });
