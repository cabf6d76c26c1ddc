/** Business services: the purpose of the CIs. Times are epoch ms. */

import type { Criticality } from '#domain/event/business-impact.ts';
import { sameJson } from '#domain/same-json.ts';
import type { Redundancy } from '#domain/topology/topology.ts';

/** Kinds of the record store. */
export const SERVICE_KINDS = {
  service: 'business-service',
  /** Service id by lower-case name; makes names unique. */
  name: 'business-service-name',
  /** Analysis that found the service, by service. */
  analysis: 'service-analysis',
} as const;

export interface Component {
  readonly ciId: string;
  readonly role: string;
  /** Components of one group replace each other. */
  readonly redundancy: Redundancy | null;
}

interface EarlierComponents {
  readonly components: readonly Component[];
  /** ms; excluded. */
  readonly until: number;
}

export interface Service {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly criticality: Criticality;
  readonly sla: { readonly availability: string | null; readonly responseTime: string | null };
  readonly components: readonly Component[];
  /** Earlier components, the earliest first; absent: always the same. */
  readonly earlier?: readonly EarlierComponents[];
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly createdBy: string;
  readonly updatedBy: string;
}

/** Analysis that found a service, saved with it. */
export interface ServiceAnalysis {
  readonly category: string | null;
  /** Configuration as the caller sent it. */
  readonly discoveryConfig: unknown;
  readonly components: unknown;
  readonly analysis: unknown;
  readonly savedAt: number;
  readonly savedBy: string;
}

/** Names are compared without case and surrounding blanks. */
export const serviceNameKey = (name: string): string => name.trim().toLowerCase();

/** Components of one service, and services of one tenant. */
export const MAX_COMPONENTS = 500;
export const MAX_SERVICES = 2_000;

/** Past health reaches as far, ms. */
const EARLIER_MS = 31 * 86_400_000;
/** Components of all earlier lists of a service. */
const MAX_EARLIER = 2_000;

/** The service with other components from `at` (ms) on; the lists of the last 31 days stay for its past health, the newest first to stay. */
export const withComponents = (service: Service, components: readonly Component[], at: number): Service => {
  if (sameJson(service.components, components)) return service;
  const lists = [...(service.earlier ?? []), { components: service.components, until: at }];
  let room = MAX_EARLIER;
  const stays = lists.toReversed().filter((list) => {
    room -= list.components.length;
    return room >= 0 && list.until > at - EARLIER_MS;
  });
  return { ...service, components, earlier: stays.toReversed() };
};
