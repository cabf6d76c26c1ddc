/** A CI that is deleted is no component of a service any more. */
import { type Asker, auditedAs } from '#application/access/audit.ts';
import { inTurn } from '#application/records/in-turn.ts';
import { Fault } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { type Component, type Service, withComponents } from '#domain/services/service.ts';
import type { SideRecord } from '#domain/side-record.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { serviceFacts } from '#schemas/http/service-facts.ts';
import { everyService, findService, putService } from './service-store.ts';

const KIND = 'ci-left';
/** Maximum of CIs per round. */
const MOST = 50;
/** Named in a refusal. */
const NAMED = 20;

/** A CI that leaves its services. */
interface LeftRecord {
  readonly tenant: string;
  readonly ci: string;
  /** Caller for the audit entries that follow. */
  readonly asker: Asker;
}

const idOf = ({ tenant, ci }: LeftRecord): string => `${tenant}/${ci}`;

/** The services that have this CI among all of the tenant. */
export const servicesWith = (services: readonly Service[], ci: string): readonly Service[] =>
  services.filter(({ components }) => components.some(({ ciId }) => ciId === ci));

/** Throws Fault `conflict`, which names the services. */
export const assertInNoService = ({ id, name }: Pick<Ci, 'id' | 'name'>, services: readonly Service[]): void => {
  if (services.length === 0) return;
  const names = services.slice(0, NAMED).map((one) => one.name);
  const data = { services: services.slice(0, NAMED).map((one) => ({ id: one.id, name: one.name })) };
  const message = `CI ${id} (${name}) is a component of ${names.join(', ')}: remove it there first, or pass cascade=true`;
  throw new Fault('conflict', message, [], { data });
};

/** Must be stored with the removal: the background continues unfinished work of a process that dies. */
export const leavingQueued = (record: LeftRecord): SideRecord => ({
  tenant: SYSTEM_TENANT,
  kind: KIND,
  id: idOf(record),
  body: record,
});

/** No group of redundant components needs more of them than there are. */
const without = (components: readonly Component[], ci: string): Component[] => {
  const left = components.filter(({ ciId }) => ciId !== ci);
  return left.map((one) => {
    const { redundancy } = one;
    if (redundancy === null) return one;
    const size = left.filter((other) => other.redundancy?.group === redundancy.group).length;
    return { ...one, redundancy: { ...redundancy, required: Math.min(redundancy.required, size) } };
  });
};

const leaveOne = (ports: Ports, { tenant, ci, asker }: LeftRecord, id: string): Promise<void> =>
  inTurn(ports, { of: ['service', tenant, id], ifMatch: null }, async () => {
    const { body: before, revision: expected } = await findService(ports.records, tenant, id);
    if (servicesWith([before], ci).length === 0) return;
    const updatedAt = ports.clock.now();
    const left = withComponents(before, without(before.components, ci), updatedAt);
    const after: Service = { ...left, updatedAt, updatedBy: asker.actor.id };
    const seen = { before: serviceFacts(before), after: serviceFacts(after) };
    const target = { kind: 'service', id };
    const entry = auditedAs(ports, tenant, asker, { action: 'service.updated', target, ...seen });
    await putService(ports, tenant, { before, after, expected, sideRecords: [entry] });
  });

/** Can be repeated. */
export const leaveServices = async (ports: Ports, record: LeftRecord): Promise<void> => {
  const { tenant, ci } = record;
  for (const { id } of servicesWith(await everyService(ports.records, tenant), ci)) await leaveOne(ports, record, id);
  await ports.records.remove(SYSTEM_TENANT, KIND, idOf(record));
};

/**
 * Continues with those whose request has ended before they had left. Throws the first error after all were processed.
 */
export const leaveLeft = async (ports: Ports, isStopping: () => boolean): Promise<void> => {
  const errors: unknown[] = [];
  for (const { body } of await ports.records.list<LeftRecord>(SYSTEM_TENANT, KIND, { limit: MOST })) {
    if (isStopping()) return;
    await leaveServices(ports, body).catch((error) => errors.push(error));
  }
  if (errors.length > 0) throw errors[0];
};
