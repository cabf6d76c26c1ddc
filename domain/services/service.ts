/** Business services: the purpose of the CIs. Times are epoch ms. */

import type { Criticality } from '#domain/event/business-impact.ts';
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

export interface Service {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly criticality: Criticality;
  readonly sla: { readonly availability: string | null; readonly responseTime: string | null };
  readonly components: readonly Component[];
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
