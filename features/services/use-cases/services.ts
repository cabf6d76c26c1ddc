import { audited } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { requireMatch } from '#application/records/if-match.ts';
import { revise } from '#application/records/revise.ts';
import { addService, dropService, findService, putService } from '#application/services/service-store.ts';
import { firstItem } from '#domain/assert.ts';
import { Fault } from '#domain/fault.ts';
import type { StoredRecord } from '#domain/ports/record-store.ts';
import { sameJson } from '#domain/same-json.ts';
import { type Component, SERVICE_KINDS, type Service, withComponents } from '#domain/services/service.ts';
import type { SideRecord } from '#domain/side-record.ts';
import type { Assessed, NewServiceInput, ServicePatchInput } from '#features/services/schemas/services.ts';
import { serviceFacts } from '#schemas/http/service-facts.ts';
import { assess } from './assess.ts';

type ComponentInput = NewServiceInput['components'][number];
type SlaInput = NewServiceInput['sla'];

const componentOf = ({ ci_id, role, redundancy_group, redundancy_required }: ComponentInput): Component => ({
  ciId: ci_id,
  role,
  redundancy: redundancy_group === undefined ? null : { group: redundancy_group, required: redundancy_required ?? 1 },
});
const slaOf = ({ availability, response_time }: SlaInput) => ({
  availability: availability ?? null,
  responseTime: response_time ?? null,
});

/** An unknown CI inside a body is the caller's mistake, not a missing page. */
const requireComponents = async (
  { tenant, ports }: UseCaseContext,
  inputs: readonly ComponentInput[],
  had: readonly Component[],
): Promise<void> => {
  const known = new Set(had.map(({ ciId }) => ciId));
  const asked = inputs.map(({ ci_id }) => ci_id).filter((id) => !known.has(id));
  if (asked.length > 0) for (const { id } of await ports.topology.getCis(tenant, asked)) known.add(id);
  const seen = new Set<string>();
  const problems = inputs.flatMap(({ ci_id }, index) => {
    const field = `components[${index}].ci_id`;
    if (seen.has(ci_id)) return [{ field, reason: `${ci_id} is already a component` }];
    seen.add(ci_id);
    return known.has(ci_id) ? [] : [{ field, reason: `no CI with ID ${ci_id}` }];
  });
  const [first] = problems;
  if (first) throw new Fault('invalid', `${first.field}: ${first.reason}`, problems);
};

type StoredService = Pick<StoredRecord<Service>, 'body' | 'revision'>;

const assessed = async (
  { tenant, ports }: UseCaseContext,
  { body: service, revision }: StoredService,
): Promise<Assessed> => ({ ...firstItem(await assess(ports, tenant, [service])), revision });

/** `along`: records stored together with the new service. */
export const createService = async (
  context: UseCaseContext,
  input: NewServiceInput,
  along: (service: Service) => readonly SideRecord[] = () => [],
): Promise<Assessed> => {
  const { tenant, ports, caller, receivedAt: at } = context;
  await requireComponents(context, input.components, []);
  const { name, description, criticality } = input;
  const service: Service = {
    id: ports.ids.ulid(),
    name,
    description,
    criticality,
    sla: slaOf(input.sla),
    components: input.components.map(componentOf),
    createdAt: at,
    updatedAt: at,
    createdBy: caller.id,
    updatedBy: caller.id,
  };
  const target = { kind: 'service', id: service.id };
  const entry = audited(context, { action: 'service.created', target, before: null, after: serviceFacts(service) });
  // Read before the write: what fails afterwards would fail a request that is carried out.
  const { health } = await assessed(context, { body: service, revision: 1 });
  const revision = await addService(ports, tenant, service, [entry, ...along(service)]);
  return { service, revision, health };
};

export const readService = async (context: UseCaseContext, id: string): Promise<Assessed> =>
  assessed(context, await findService(context.ports.records, context.tenant, id));

export interface ServiceChange {
  readonly id: string;
  readonly patch: ServicePatchInput;
}

const changedBy =
  (patch: ServicePatchInput, { caller, receivedAt }: UseCaseContext) =>
  (stored: StoredService): StoredService => {
    const { body: before, revision } = stored;
    const { name = before.name, description = before.description, criticality = before.criticality } = patch;
    const after: Service = {
      ...before,
      name,
      description,
      criticality,
      sla: patch.sla ? slaOf(patch.sla) : before.sla,
    };
    const body = withComponents(after, patch.components?.map(componentOf) ?? before.components, receivedAt);
    if (sameJson(before, body)) return stored;
    return { body: { ...body, updatedAt: receivedAt, updatedBy: caller.id }, revision: revision + 1 };
  };

export const changeService = async (context: UseCaseContext, { id, patch }: ServiceChange): Promise<Assessed> => {
  const { tenant, ports, ifMatch } = context;
  const target = { kind: 'service', id };
  const updated = (before: Service, after: Service) => {
    const seen = { before: serviceFacts(before), after: serviceFacts(after) };
    return audited(context, { action: 'service.updated', target, ...seen });
  };
  let shown: Assessed | null = null;
  const { after } = await revise<StoredService>(ports, {
    of: ['service', tenant, id],
    ifMatch,
    load: async () => {
      const stored = await findService(ports.records, tenant, id);
      if (patch.components) await requireComponents(context, patch.components, stored.body.components);
      return stored;
    },
    change: changedBy(patch, context),
    async put(next, { body: last, revision: expected }) {
      shown = await assessed(context, next);
      const sideRecords = [updated(last, next.body)];
      await putService(ports, tenant, { before: last, after: next.body, expected, sideRecords });
    },
  });
  return shown ?? assessed(context, after);
};

export const removeService = async (context: UseCaseContext, id: string): Promise<void> => {
  const { tenant, ports, ifMatch } = context;
  const { body, revision } = await findService(ports.records, tenant, id);
  requireMatch(ifMatch, revision);
  const target = { kind: 'service', id };
  const entry = audited(context, { action: 'service.deleted', target, before: serviceFacts(body), after: null });
  // First, so that a process that dies in between leaves no analysis without its service.
  await ports.records.remove(tenant, SERVICE_KINDS.analysis, id);
  await dropService(ports, tenant, body, [entry]);
};
