import type { Event } from '#domain/event/event.ts';
import { firstItem } from '#domain/known.ts';
import { clockTime, freeText } from '#features/ai/rules/findings.ts';
import { confident, type Finding, quotedTitle } from './finding.ts';

/** So many incidents with the same cause are one problem. */
const LEAST_TIMES = 3;

/** Incidents with the same cause. */
export interface RepeatedSeen {
  /** Cause and place. */
  readonly key: string;
  /** Of the newest incident. */
  readonly cause: Event;
  /** Ids of the groups, the newest first. */
  readonly groups: readonly string[];
  /** Events in all of them. */
  readonly events: number;
  /** How the last of them that a person ended did end. */
  readonly ended: Event | null;
  readonly days: number;
}

const NOTES = 120;

/** The same cause again and again. */
export const detectRepeatedIncidents = (seen: readonly RepeatedSeen[]): Finding[] =>
  seen
    .filter(({ groups }) => groups.length >= LEAST_TIMES)
    .map(({ key, cause, groups, events, ended, days }) => {
      const notes = ended?.resolutionNotes?.replaceAll(/\s+/g, ' ').trim().slice(0, NOTES);
      const where = cause.ci?.name ?? cause.hostname;
      return {
        kind: 'repeated-incident',
        subject: key,
        severity: groups.length >= 2 * LEAST_TIMES ? 'major' : 'minor',
        title: `The same incident ${groups.length} times: ${quotedTitle(cause.title)}`,
        detail: `${quotedTitle(cause.title)}${where === undefined ? '' : ` on ${where}`} was the cause of ${groups.length} incidents with ${events} events in ${days} days, last at ${clockTime(cause.firstOccurrence)}.`,
        recommendation: notes
          ? `Repair what lies behind it for good. It was ended last time like this: "${notes}"`
          : 'Repair what lies behind it for good; it was ended each time without a note on how.',
        metric: { name: 'incidents with this cause', value: groups.length, unit: 'count', threshold: LEAST_TIMES },
        confidence: confident(1 - 0.5 ** (groups.length - 1)),
        ciIds: cause.ci === null ? [] : [cause.ci.id],
        cite: (findings) => [
          findings.event(cause, [
            { name: 'incidents with this cause', value: groups.length },
            { name: 'events in them', value: events },
            { name: 'days', value: days },
            ...(notes ? [freeText('resolution notes', notes)] : []),
          ]),
          findings.add({
            kind: 'group',
            id: firstItem(groups),
            label: firstItem(groups),
            facts: [{ name: 'incidents with this cause', value: groups.length }],
          }),
        ],
      } satisfies Finding;
    });
