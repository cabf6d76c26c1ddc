import { firstItem } from '#domain/assert.ts';
import type { Event } from '#domain/event/event.ts';
import { clockTime, freeText } from '#features/ai/rules/findings.ts';
import { confident, type Finding, quotedTitle } from './finding.ts';

/** Number of incidents with the same cause that are one problem. */
const MIN_TIMES = 3;

/** Incidents with the same cause. */
export interface RepeatedSeen {
  /** Cause and place. */
  readonly key: string;
  /** Cause of the newest incident. */
  readonly cause: Event;
  /** Ids of the groups, the newest first. */
  readonly groups: readonly string[];
  /** Events in all of them. */
  readonly events: number;
  /** End of the last of them that a user ended. */
  readonly ended: Event | null;
  readonly days: number;
}

const NOTES = 120;

/** The same cause again and again. */
export const detectRepeatedIncidents = (seen: readonly RepeatedSeen[]): Finding[] =>
  seen
    .filter(({ groups }) => groups.length >= MIN_TIMES)
    .map(({ key, cause, groups, events, ended, days }) => {
      const notes = ended?.resolutionNotes?.replaceAll(/\s+/g, ' ').trim().slice(0, NOTES);
      const where = cause.ci?.name ?? cause.hostname;
      return {
        kind: 'repeated-incident',
        subject: key,
        severity: groups.length >= 2 * MIN_TIMES ? 'major' : 'minor',
        title: `Recurring group (${groups.length}×): ${quotedTitle(cause.title)}`,
        detail: `${quotedTitle(cause.title)}${where === undefined ? '' : ` on ${where}`} was the root cause of ${groups.length} groups with ${events} events in ${days} days, last at ${clockTime(cause.firstOccurrence)}.`,
        recommendation: notes
          ? `Fix the underlying problem. Last resolution: "${notes}"`
          : 'Fix the underlying problem. Previous resolutions have no notes.',
        metric: { name: 'groups with this root cause', value: groups.length, unit: 'count', threshold: MIN_TIMES },
        confidence: confident(1 - 0.5 ** (groups.length - 1)),
        ciIds: cause.ci === null ? [] : [cause.ci.id],
        cite: (findings) => [
          findings.event(cause, [
            { name: 'groups with this root cause', value: groups.length },
            { name: 'events in these groups', value: events },
            { name: 'days', value: days },
            ...(notes ? [freeText('resolution notes', notes)] : []),
          ]),
          findings.add({
            kind: 'group',
            id: firstItem(groups),
            label: firstItem(groups),
            facts: [{ name: 'groups with this root cause', value: groups.length }],
          }),
        ],
      } satisfies Finding;
    });
