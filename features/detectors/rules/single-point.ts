import { counted, enumeration, type NamedCi } from '#features/ai/rules/findings.ts';
import type { HitService } from '#features/insights/rules/ci-picture.ts';
import { confident, type Finding } from './finding.ts';

/** Number of failing CIs that is enough with a service of high criticality, and the larger number without one. */
const MIN_BELOW = 3;
const MANY_BELOW = 20;
const NAMED = 3;

export interface DependedOn {
  readonly ci: NamedCi;
  /** Number of CIs that fail with it; a minimum when `truncated`. */
  readonly below: number;
  readonly truncated: boolean;
  /** Services of which it is a component or above one. */
  readonly services: readonly HitService[];
}

const isWeighty = ({ service, impact }: HitService): boolean =>
  impact === 'full_outage' && (service.criticality === 'critical' || service.criticality === 'high');

/** Finds CIs with many dependents and no redundancy. */
export const detectSinglePoints = (seen: readonly DependedOn[]): Finding[] =>
  seen.flatMap(({ ci, below, truncated, services }) => {
    const down = services.filter(isWeighty);
    const isOne = (down.length > 0 && below >= MIN_BELOW) || below >= MANY_BELOW;
    if (!isOne) return [];
    const names = enumeration(
      down.map(({ service }) => service.name),
      NAMED,
    );
    const told = down.length === 0 ? '' : `, with a full outage of ${names}`;
    return [
      {
        kind: 'single-point-of-failure',
        subject: ci.id,
        severity: down.length > 0 ? 'major' : 'minor',
        title: `${ci.name} is a single point of failure`,
        detail: `If ${ci.name} fails,${truncated ? ' at least' : ''} ${counted(below, 'CI goes', 'CIs go')} down${told}; no redundancy.`,
        recommendation: 'Add a redundant instance and record both paths with a redundancy group.',
        metric: { name: 'Impacted CIs', value: below, unit: 'count', threshold: MIN_BELOW },
        confidence: confident(down.length > 0 ? 0.9 : 0.75),
        ciIds: [ci.id],
        cite: (findings) => [
          findings.ci(ci, [{ name: 'Impacted CIs', value: below }]),
          ...down.slice(0, 1).map(({ service }) => findings.service(service)),
        ],
      },
    ];
  });
