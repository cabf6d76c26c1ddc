import type { Event } from '#domain/event/event.ts';
import { systemOf } from '#domain/event/system.ts';
import type { ArrivalTopology } from '#domain/ports/topology-store.ts';
import { complaintOf } from './complaint.ts';
import type { Arrival, Surroundings } from './records.ts';

/** The surroundings of an event without a known CI. */
export const NOWHERE: ArrivalTopology = {
  near: [],
  truncated: false,
  degree: 0,
  reach2: 0,
  reach3: 0,
  all: 0,
  upstream: [],
  hasRelationships: false,
  above3: 0,
  below3: 0,
  chain: [],
};

/** Service, application and the business services of the CI. */
const servicesOf = ({ service, application, businessImpact }: Event): string[] => {
  const business = businessImpact?.affectedServices.map(({ name }) => name) ?? [];
  const names = [service, application, ...business].map((name) => name?.trim().toLowerCase() ?? '');
  return [...new Set(names)].filter((name) => name !== '');
};

/** All that scoring needs of an event, as of this record. */
export function arrivalOf(event: Event, around: ArrivalTopology, position: number, rebound: boolean): Arrival {
  const { tenant, id, timestamp, severity, signature, identity, hostname, ipAddress, source, ci, status, usual } =
    event;
  const { hasRelationships, above3, below3, chain } = around;
  return {
    tenant,
    position,
    eventId: id,
    time: timestamp,
    severity,
    signature,
    identity,
    system: systemOf({ hostname, ipAddress, ciId: ci?.id, source }),
    services: servicesOf(event),
    ciId: ci?.id ?? null,
    hasRelationships,
    above3,
    below3,
    chain,
    suppressed: status === 'suppressed',
    usual,
    complaint: complaintOf(event),
    rebound,
  };
}

export const surroundingsOf = (around: ArrivalTopology): Surroundings => {
  const { near, truncated, degree, reach2, reach3, all, upstream } = around;
  return { near, truncated, degree, reach2, reach3, all, upstream };
};
