import type { Event } from '#domain/event/event.ts';
import { entryOf } from '#domain/known.ts';
import { FLAPS, flappingOf } from '#features/insights/rules/flapping.ts';
import { confident, type Finding, quotedTitle } from './finding.ts';

/** Complaints of one system that begin and end again and again; events come newest first. */
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
      title: `${quotedTitle(newest.title)} comes and goes`,
      detail: `${quotedTitle(newest.title)}${where === undefined ? '' : ` on ${where}`} began ${times} times within one day.`,
      recommendation:
        'Give the monitor two thresholds or a longer time before it fires, or repair what recovers by itself only.',
      metric: { name: 'beginnings within a day', value: times, unit: 'count', threshold: FLAPS },
      confidence: confident(1 - 1 / times),
      ciIds: newest.ci === null ? [] : [newest.ci.id],
      cite: (findings) => [findings.event(newest, [{ name: 'beginnings within a day', value: times }])],
    };
  });
};
