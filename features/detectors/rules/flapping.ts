import { entryOf } from '#domain/assert.ts';
import type { Event } from '#domain/event/event.ts';
import { FLAPS, flappingOf } from '#features/insights/rules/flapping.ts';
import { confident, type Finding, quotedTitle } from './finding.ts';

/** Finds problems of one system that begin and end repeatedly; events are newest first. */
export const detectFlapping = (events: readonly Event[]): Finding[] => {
  const byId = new Map(events.map((event) => [event.id, event]));
  const beginnings = events.map(({ id, identity, firstOccurrence, history }) => ({
    id,
    signature: identity,
    firstOccurrence,
    history,
  }));
  return flappingOf(beginnings).map(({ newest: { id }, times }) => {
    const newest = entryOf(byId, id);
    const where = newest.ci?.name ?? newest.hostname;
    return {
      kind: 'flapping',
      subject: newest.identity,
      severity: 'minor',
      title: `Flapping: ${quotedTitle(newest.title)}`,
      detail: `${quotedTitle(newest.title)}${where === undefined ? '' : ` on ${where}`} started ${times} times within one day.`,
      recommendation: 'Add hysteresis or a longer evaluation period to the check, or fix the underlying problem.',
      metric: { name: 'starts within a day', value: times, unit: 'count', threshold: FLAPS },
      confidence: confident(1 - 1 / times),
      ciIds: newest.ci === null ? [] : [newest.ci.id],
      cite: (findings) => [findings.event(newest, [{ name: 'starts within a day', value: times }])],
    };
  });
};
