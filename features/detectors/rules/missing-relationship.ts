import { counted, type NamedCi } from '#features/ai/rules/findings.ts';
import { confident, type Finding } from './finding.ts';

/** A CI with so many events and no relationship stands alone on the map only. */
const LEAST_EVENTS = 5;

export interface LonelyCi {
  readonly ci: NamedCi;
  /** Events of the range. */
  readonly events: number;
  /** In both directions. */
  readonly relationships: number;
}

/** CIs with events that no relationship can explain. */
export const detectLonelyCis = (seen: readonly LonelyCi[]): Finding[] =>
  seen
    .filter(({ events, relationships }) => relationships === 0 && events >= LEAST_EVENTS)
    .map(({ ci, events }) => ({
      kind: 'missing-relationship',
      subject: ci.id,
      severity: 'minor',
      title: `${ci.name} has no relationship`,
      detail: `${ci.name} had ${counted(events, 'event')} and is related to nothing: no cause upstream can be found for them, and no impact.`,
      recommendation: `Record what ${ci.name} needs and what needs it; POST /api/ai/discover-relationships finds it where scans have seen connections.`,
      metric: { name: 'events without a relationship', value: events, unit: 'count', threshold: LEAST_EVENTS },
      confidence: confident(0.95),
      ciIds: [ci.id],
      cite: (findings) => [findings.ci(ci, [{ name: 'events', value: events }])],
    }));
