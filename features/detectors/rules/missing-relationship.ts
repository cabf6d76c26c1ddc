import { counted, type NamedCi } from '#features/ai/rules/findings.ts';
import { confident, type Finding } from './finding.ts';

/** Number of events from which a CI without relationships is suspicious. */
const MIN_EVENTS = 5;

export interface LonelyCi {
  readonly ci: NamedCi;
  /** Events of the range. */
  readonly events: number;
  /** Count in both directions. */
  readonly relationships: number;
}

/** CIs with events that no relationship can explain. */
export const detectLonelyCis = (seen: readonly LonelyCi[]): Finding[] =>
  seen
    .filter(({ events, relationships }) => relationships === 0 && events >= MIN_EVENTS)
    .map(({ ci, events }) => ({
      kind: 'missing-relationship',
      subject: ci.id,
      severity: 'minor',
      title: `${ci.name} has no relationship`,
      detail: `${ci.name} had ${counted(events, 'event')} but has no relationships, so root causes and impact can't be determined.`,
      recommendation: 'Add its relationships, or use POST /api/ai/discover-relationships on scanned connections.',
      metric: { name: 'events without a relationship', value: events, unit: 'count', threshold: MIN_EVENTS },
      confidence: confident(0.95),
      ciIds: [ci.id],
      cite: (findings) => [findings.ci(ci, [{ name: 'events', value: events }])],
    }));
