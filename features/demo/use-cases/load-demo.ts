import { backgroundContext, type UseCaseContext } from '#application/access/context.ts';
import { takeWebhook } from '#application/events/sources/take-webhook.ts';
import { addService } from '#application/services/service-store.ts';
import { entryOf } from '#domain/assert.ts';
import { isOvertaken } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Service } from '#domain/services/service.ts';
import { planCi, planRelationship } from '#domain/topology/import.ts';
import type { Ci, Relationship } from '#domain/topology/topology.ts';
import type { DemoInfrastructure } from '#features/demo/rules/scene/infrastructure.ts';
import { tellStory } from '#features/demo/rules/story.ts';
import type { Payload } from '#features/demo/rules/traffic.ts';
import { type Demo, putDemo, storedDemo } from './demo-record.ts';

/** Default day of the command line. */
const SEED = 1;
const DEMO = 'demo';
/** Messages between two notes of how far it is. */
const NOTED_EVERY = 25;

/** Context without a request: its actions are in no audit trail. */
const contextOf = (ports: Ports, tenant: string): UseCaseContext =>
  backgroundContext(ports, {
    id: DEMO,
    username: DEMO,
    name: 'Demo',
    tenant,
    kind: 'jwt',
    role: null,
    credentialId: DEMO,
    permissions: new Set(['events.webhook']),
    limits: { tenant: {}, token: {} },
  });

const recordOf = <T>(plan: { readonly action: string; readonly record?: T }): T => {
  if (plan.record === undefined) throw new Error(`couldn't write the demo: ${plan.action}`);
  return plan.record;
};

/** The recorded part of the infrastructure; ids of CIs by name. */
const putInfrastructure = async (
  { cis: store, relationships, ids, clock }: Ports,
  tenant: string,
  estate: DemoInfrastructure,
) => {
  const writing = () => ({ tenant, newId: ids.ulid(), at: clock.now(), by: DEMO });
  const cis = estate.cis.map(({ name, type, attributes }) =>
    recordOf<Ci>(planCi({ name, type, attributes }, [], writing())),
  );
  const idOf = new Map(cis.map(({ name, id }) => [name, id]));
  await store.put(tenant, cis);
  const recorded = estate.links.filter((link) => link.recorded);
  const edges = recorded.map(({ type, source, target, criticality }) => {
    const ends = { source: entryOf(idOf, source), target: entryOf(idOf, target) };
    return recordOf<Relationship>(planRelationship({ type, attributes: { criticality } }, ends, null, writing()));
  });
  await relationships.put(tenant, edges);
  return idOf;
};

/** Its services, after its day: groups are those of the command line's demo, which records none. */
const putServices = async (
  ports: Ports,
  tenant: string,
  { services }: DemoInfrastructure,
  idOf: ReadonlyMap<string, string>,
) => {
  const at = ports.clock.now();
  for (const { name, components } of services) {
    const service: Service = {
      id: ports.ids.ulid(),
      name,
      description: '',
      criticality: 'critical',
      sla: { availability: null, responseTime: null },
      components: components.map(({ ci, role }) => ({ ciId: entryOf(idOf, ci), role, redundancy: null })),
      createdAt: at,
      updatedAt: at,
      createdBy: DEMO,
      updatedBy: DEMO,
    };
    await addService(ports, tenant, service, []);
  }
};

const send = async (ports: Ports, tenant: string, { source, body }: Payload): Promise<void> => {
  const headers = { 'content-type': 'application/json' };
  await takeWebhook({ segment: source, delivered: { body, headers } }, contextOf(ports, tenant));
};

interface Loading {
  readonly demo: Demo;
  readonly revision: number;
}

/** Records each step, and so detects its deletion. */
const load = async (ports: Ports, { demo, revision: first }: Loading, isStopping: () => boolean): Promise<void> => {
  const { estate, payloads } = tellStory({ seed: SEED, now: ports.clock.now() });
  const total = payloads.length;
  let revision = first;
  const note = async (state: Demo['state'], sent: number): Promise<void> => {
    revision = await putDemo(ports, { ...demo, state, sent, total }, revision);
  };
  let sent = 0;
  try {
    await note('loading', sent);
    const idOf = await putInfrastructure(ports, demo.tenant, estate);
    for (const payload of payloads) {
      if (isStopping()) return await note('failed', sent);
      await send(ports, demo.tenant, payload);
      sent += 1;
      if (sent % NOTED_EVERY === 0) await note('loading', sent);
    }
    await putServices(ports, demo.tenant, estate, idOf);
    await note('ready', sent);
  } catch (error) {
    if (isOvertaken(error)) return;
    await note('failed', sent);
    throw error;
  }
};

/** Loads the waiting demo; a half-loaded one is useless. */
export const loadDemo = async (ports: Ports, isStopping: () => boolean): Promise<void> => {
  const stored = await storedDemo(ports);
  if (stored === null) return;
  const { body: demo, revision } = stored;
  if (demo.state === 'waiting') await load(ports, { demo, revision }, isStopping);
  else if (demo.state === 'loading') await putDemo(ports, { ...demo, state: 'failed' }, revision);
};
