/** Dependencies between services, derived from the relationships of their components (docs/services.md). */

import { type Dependence as Edge, spread } from '#domain/services/spread.ts';
import { lossOf } from '#domain/topology/graph/redundancy.ts';
import type { Component, Service } from './service.ts';

export const DEPENDENCY_HOPS = 6;

/** One service needs another: `required` when it does not outlive the other's loss. */
export interface ServiceDependency {
  readonly service: Service;
  readonly type: 'required' | 'optional';
  readonly impact: 'full_outage' | 'degraded_functionality';
}

/** Services by the CIs that are their components. */
export type ServicesOfCi = ReadonlyMap<string, readonly Service[]>;

const ciIds = (components: readonly Component[]): ReadonlySet<string> => new Set(components.map(({ ciId }) => ciId));

export const servicesByCi = (services: readonly Service[]): ServicesOfCi => {
  const pairs = services.flatMap((service) => [...ciIds(service.components)].map((ciId) => ({ ciId, service })));
  const byCi = Map.groupBy(pairs, ({ ciId }) => ciId);
  return new Map([...byCi].map(([ciId, own]) => [ciId, own.map(({ service }) => service)]));
};

/** Services reached from the start over CIs of no other service, nearest first. */
const reached = (from: Service, edges: readonly Edge[], byCi: ServicesOfCi, next: (edge: Edge) => [string, string]) => {
  const start = ciIds(from.components);
  const ways = Map.groupBy(edges, (edge) => next(edge)[0]);
  const seen = new Set(start);
  const found = new Set<Service>();
  let layer = [...start];
  for (let hop = 0; hop < DEPENDENCY_HOPS && layer.length > 0; hop++) {
    const after: string[] = [];
    for (const ci of layer) {
      for (const edge of ways.get(ci) ?? []) {
        const [, to] = next(edge);
        if (seen.has(to)) continue;
        seen.add(to);
        const there = byCi.get(to) ?? [];
        for (const service of there) found.add(service);
        if (there.length === 0) after.push(to);
      }
    }
    layer = after;
  }
  found.delete(from);
  return [...found];
};

/** True if the loss of all components of `lost` is a loss to `needing`, over CIs of no third service. */
const isRequired = (needing: Service, lost: Service, edges: readonly Edge[], byCi: ServicesOfCi): boolean => {
  if (lost.criticality === 'low') return false;
  const own = new Map([...ciIds(lost.components)].map((ci) => [ci, 1] as const));
  const needed = ciIds(needing.components);
  const carries = ({ source, attributes }: Edge): boolean =>
    attributes.criticality !== 'low' && (needed.has(source) || !byCi.has(source));
  const losses = spread(own, edges.filter(carries), { hops: DEPENDENCY_HOPS, carried: 1 });
  const needs = needing.components.map(({ ciId, redundancy }) => ({ redundancy, loss: losses.get(ciId) ?? 0 }));
  return lossOf(needs) > 0;
};

/** Services that the service's components reach; `edges` lead upstream from them. */
export const reachedUpstream = (service: Service, edges: readonly Edge[], byCi: ServicesOfCi): Service[] =>
  reached(service, edges, byCi, ({ source, target }) => [source, target]);

/** Services that reach the service's components; `edges` lead downstream from them. */
export const reachedDownstream = (service: Service, edges: readonly Edge[], byCi: ServicesOfCi): Service[] =>
  reached(service, edges, byCi, ({ source, target }) => [target, source]);

/** The effect of the loss of `lost` on `needing`; `edges` are all that lead upstream from the components of `needing`. */
export const dependencyOn = (
  needing: Service,
  lost: Service,
  edges: readonly Edge[],
  byCi: ServicesOfCi,
): Pick<ServiceDependency, 'type' | 'impact'> =>
  isRequired(needing, lost, edges, byCi)
    ? { type: 'required', impact: 'full_outage' }
    : { type: 'optional', impact: 'degraded_functionality' };
