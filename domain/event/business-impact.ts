/** The impact of an event on the services of its CI. */
import { itemAt } from '#domain/assert.ts';
import type { BusinessImpact, Severity } from './event.ts';

export const CRITICALITIES = ['critical', 'high', 'medium', 'low'] as const;
export type Criticality = (typeof CRITICALITIES)[number];

/** The part of a service that determines the weight of an event for it. */
export interface WeighedService {
  readonly id: string;
  readonly name: string;
  readonly criticality: Criticality;
}

/** Steps by which a severity stays below the criticality of the service. */
const STEPS_DOWN: Readonly<Record<Severity, number>> = { critical: 0, major: 0, minor: 1, warning: 2, info: 3 };

/** Level: the criticality of the most critical service, lowered for lesser severities; users are not known. */
export const impactOn = (severity: Severity, services: readonly WeighedService[]): BusinessImpact => {
  const worst = Math.min(...services.map(({ criticality }) => CRITICALITIES.indexOf(criticality)));
  return {
    level: itemAt(CRITICALITIES, Math.min(worst + STEPS_DOWN[severity], CRITICALITIES.length - 1)),
    affectedServices: services.map(({ id, name, criticality }) => ({ id, name, criticality })),
    affectedUsers: null,
  };
};

/**
 * The sender's impact stays; where it names no services, those of the CI are added, so that the event relates by them.
 */
export const besideSaid = (said: BusinessImpact | undefined, found: BusinessImpact | undefined) =>
  said && found && said.affectedServices.length === 0
    ? { ...said, affectedServices: found.affectedServices }
    : (said ?? found);
