import type { Service } from '#domain/services/service.ts';
import type { NamedCi } from '#features/ai/rules/findings.ts';
import {
  type Anomaly,
  anomaliesOf,
  type Bottleneck,
  bottlenecksOf,
} from '#features/analyzer/rules/servers/anomalies.ts';
import { type Risk, risksOf, type ServerFacts } from '#features/analyzer/rules/servers/risks.ts';
import type { Structure } from '#features/analyzer/rules/servers/structure.ts';
import type { NamedServer } from './server-item.ts';

/** The impact of the servers beyond themselves. */
export interface ServiceImpact {
  /** Business services of the CMDB that stand on them. */
  readonly services: readonly Service[];
  /** CIs that are none of them, the nearest first. */
  readonly below: readonly NamedCi[];
  readonly truncated: boolean;
}

/** All that rules look at when they tell of a service. */
export interface ServiceView {
  readonly structure: Structure;
  readonly risks: readonly Risk[];
  readonly anomalies: readonly Anomaly[];
  readonly bottlenecks: readonly Bottleneck[];
  readonly impact: ServiceImpact;
  readonly namedOf: (id: string) => NamedServer;
  readonly description: string | null;
}

type Given = Pick<ServiceView, 'structure' | 'impact' | 'namedOf' | 'description'>;

export const serviceView = (given: Given, facts: ServerFacts): ServiceView => ({
  ...given,
  risks: risksOf(given.structure, facts),
  anomalies: anomaliesOf(given.structure),
  bottlenecks: bottlenecksOf(given.structure),
});
