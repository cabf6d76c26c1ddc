import type { Arrival, Enriched } from '#domain/correlation/records.ts';
import { DEFAULT_SETTINGS, makeResolver } from '#domain/correlation/settings/tenant-settings.ts';
import type { Event, Severity } from '#domain/event/event.ts';
import { isChangeTitle, isSpreading, type ProblemFields, problemKindOf } from '#domain/event/identity/problem-kind.ts';
import type { ProblemKind } from '#domain/event/identity/problem-kinds.ts';
import { namelessTemplateOf, templateOf } from '#domain/event/identity/signature.ts';
import { isStockDown } from '#domain/event/identity/stock-alerts.ts';
import { systemOf } from '#domain/event/identity/system.ts';
import type { ArrivalTopology, Surroundings } from '#domain/topology/near.ts';
import { QUIET } from './rates.ts';

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

/** Characters of a name that scoring compares: names are in every record that is made of an event. */
const COMPARED = 255;

/** Service, application and the business services of the CI. */
const servicesOf = ({ service, application, businessImpact }: Event): string[] => {
  const business = businessImpact?.affectedServices.map(({ name }) => name) ?? [];
  const names = [service, application, ...business].map((name) => name?.trim().toLowerCase().slice(0, COMPARED) ?? '');
  return [...new Set(names)].filter((name) => name !== '');
};

/**
 * Stock alerts have the severity of the page that they deserve; one that stops its object is judged as critical, whatever it pages.
 */
const judgedSeverity = (event: Pick<Event, 'severity'> & ProblemFields): Severity =>
  event.severity === 'warning' && isStockDown(event) ? 'critical' : event.severity;

/** A change that its monitor reports as an alert, and will end, is no change event; as a cause it is a change all the same. */
const complaintOf = (event: Event): ProblemKind => {
  const complaint = problemKindOf(event);
  return complaint.known === null && isChangeTitle(event.title) ? { ...complaint, known: 'change' } : complaint;
};

/** All that scoring needs of an event, as of this record; `time` is when it arrives, ms. */
export function arrivalOf(event: Event, around: ArrivalTopology, position: number, time: number): Arrival {
  const { tenant, id, signature, identity, hostname, ipAddress, source, ci, status, usual } = event;
  const { hasRelationships, above3, below3, chain } = around;
  const complaint = complaintOf(event);
  const titled = { title: event.title, hostname: hostname ?? '', ciType: ci?.type };
  const template = templateOf(titled);
  const problem = namelessTemplateOf(titled, [ci?.name, event.service, event.application]);
  return {
    tenant,
    position,
    eventId: id,
    time,
    severity: judgedSeverity(event),
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
    complaint,
    spreads: isSpreading(complaint, event.title),
    template,
    ...(problem !== template && { problem }),
    source,
    rebound: false,
  };
}

export const surroundingsOf = (around: ArrivalTopology): Surroundings => {
  const { near, truncated, degree, reach2, reach3, all, upstream, wholes = [] } = around;
  const found = { near, truncated, degree, reach2, reach3, all, upstream };
  return wholes.length === 0 ? found : { ...found, wholes };
};

/** The arrival in the record of a turn. */
export const NO_ARRIVAL: Enriched = {
  ...surroundingsOf(NOWHERE),
  arrival: {
    tenant: '',
    position: 0,
    eventId: '',
    time: 0,
    severity: 'info',
    signature: '',
    identity: '',
    system: '',
    services: [],
    ciId: null,
    hasRelationships: false,
    above3: 0,
    below3: 0,
    chain: [],
    suppressed: false,
    usual: false,
    complaint: { kind: 'unknown', known: null },
    rebound: false,
  },
  rates: QUIET,
  settings: makeResolver()(DEFAULT_SETTINGS, () => 0),
  late: true,
};
