import { counted, enumeration, type NamedCi } from '#features/ai/rules/findings.ts';
import type { HitService } from '#features/insights/rules/ci-picture.ts';
import { confident, type Finding } from './finding.ts';

/** With a service of high criticality that goes down so many CIs are enough, without one so many. */
const LEAST_BELOW = 3;
const MANY_BELOW = 20;
const NAMED = 3;

export interface DependedOn {
  readonly ci: NamedCi;
  /** CIs that fail with it; at least so many when `truncated`. */
  readonly below: number;
  readonly truncated: boolean;
  /** Of a service of which it is a component or stands above one. */
  readonly services: readonly HitService[];
}

const isWeighty = ({ service, impact }: HitService): boolean =>
  impact === 'full_outage' && (service.criticality === 'critical' || service.criticality === 'high');

/** Much hangs on it, and nothing stands in for it. */
export const detectSinglePoints = (seen: readonly DependedOn[]): Finding[] =>
  seen.flatMap(({ ci, below, truncated, services }) => {
    const down = services.filter(isWeighty);
    const isOne = (down.length > 0 && below >= LEAST_BELOW) || below >= MANY_BELOW;
    if (!isOne) return [];
    const names = enumeration(
      down.map(({ service }) => service.name),
      NAMED,
    );
    const told = down.length === 0 ? '' : `, and of the important services ${names}`;
    return [
      {
        kind: 'single-point-of-failure',
        subject: ci.id,
        severity: down.length > 0 ? 'major' : 'minor',
        title: `${ci.name} is a single point of failure`,
        detail: `With ${ci.name}${truncated ? ' at least' : ''} ${counted(below, 'CI')} would go down${told}; nothing stands in for it.`,
        recommendation: `Give ${ci.name} a second of its kind, and record both ways with a redundancy group.`,
        metric: { name: 'CIs that fail with it', value: below, unit: 'count', threshold: LEAST_BELOW },
        confidence: confident(down.length > 0 ? 0.9 : 0.75),
        ciIds: [ci.id],
        cite: (findings) => [
          findings.ci(ci, [{ name: 'CIs that fail with it', value: below }]),
          ...down.slice(0, 1).map(({ service }) => findings.service(service)),
        ],
      },
    ];
  });
