import { servicesHit } from '#application/services/services-hit.ts';
import { type Ci, redundancyOf } from '#domain/topology/topology.ts';
import { type ServiceImpact, type ServiceView, serviceView } from '#features/analyzer/rules/insights/service-view.ts';
import { environmentOf } from '#features/analyzer/rules/servers/environment.ts';
import type { ServerFacts } from '#features/analyzer/rules/servers/risks.ts';
import type { ServerLink } from '#features/analyzer/rules/servers/server.ts';
import {
  type MappedServer,
  ownGraph,
  type Structure,
  structureOf,
} from '#features/analyzer/rules/servers/structure.ts';
import { edgesAround } from '#features/services/use-cases/edges.ts';
import { centralityOf } from './centrality.ts';
import type { AnalyzerContext } from './context.ts';
import { knownCis, namedOf } from './given-servers.ts';

const MAX_IMPACT = 1_000;
/** Servers whose redundancy is looked up in the CMDB: those that would be single points of failure. */
const MAX_ALONE = 100;

const ENVIRONMENT_KEYS = ['environment', 'env', 'stage'];

/** The environment of a CI in the CMDB. */
const saidEnvironment = ({ attributes, customFields }: Ci): string | null => {
  const values = ENVIRONMENT_KEYS.flatMap((key) => [attributes[key], customFields[key]]);
  return (values.find((value) => typeof value === 'string') as string | undefined) ?? null;
};

/** CIs that others need as one of a group. */
async function redundantOf(
  { tenant, ports, receivedAt }: AnalyzerContext,
  { servers, joints }: Structure,
  known: ReadonlyMap<string, Ci>,
): Promise<ReadonlySet<string>> {
  const asked = servers.filter(({ id, tier }) => known.has(id) && (joints.has(id) || tier === 'data'));
  const ids = asked.slice(0, MAX_ALONE).map(({ id }) => id);
  const [edges, byCi] = await Promise.all([
    edgesAround(ports, tenant, ids, { direction: 'down', hops: 1, over: 'cause' }),
    ports.memory.services.of(tenant, receivedAt),
  ]);
  const grouped = edges.filter((edge) => redundancyOf(edge) !== null).map(({ target }) => target);
  const members = ids.filter((id) =>
    (byCi.get(id) ?? []).some(({ components }) => components.some((one) => one.ciId === id && one.redundancy !== null)),
  );
  return new Set([...grouped, ...members]);
}

/** Null without the permission to read events. */
async function severeEvents({ tenant, ports, caller }: AnalyzerContext, ids: readonly string[]) {
  if (!caller.permissions.has('events.read') || ids.length === 0) return null;
  const open = await ports.eventCounts.openOn(tenant, ids);
  return new Map([...open].map(([id, { critical = 0, major = 0 }]) => [id, critical + major]));
}

async function impactOf(context: AnalyzerContext, ids: readonly string[]): Promise<ServiceImpact> {
  if (ids.length === 0) return { services: [], below: [], truncated: false };
  const { tenant, ports } = context;
  const { impacted, truncated } = await ports.graph.impact(tenant, ids, { limit: MAX_IMPACT });
  const own = new Set(ids);
  const below = impacted.filter(({ ci }) => !own.has(ci)).map(({ ci, name, type }) => ({ id: ci, name, type }));
  const hit = await servicesHit(context, new Set([...ids, ...below.map(({ id }) => id)]));
  return { services: hit.map(({ service }) => service), below, truncated };
}

/** Reads what rules look at when they tell of a service. */
export async function seeService(
  context: AnalyzerContext,
  servers: readonly MappedServer[],
  links: readonly ServerLink[],
  description: string | null,
): Promise<ServiceView> {
  const centrality = await centralityOf(ownGraph(servers, links), context.ports.clock);
  const structure = structureOf(servers, links, centrality);
  const cis = await knownCis(
    context,
    servers.map(({ id }) => id),
  );
  const ids = [...cis.keys()];
  const [redundant, open, impact] = await Promise.all([
    redundantOf(context, structure, cis),
    severeEvents(context, ids),
    impactOf(context, ids),
  ]);
  const hostnames = new Map(servers.map(({ id, hostname }) => [id, hostname]));
  const facts: ServerFacts = {
    environment(id) {
      const ci = cis.get(id);
      return environmentOf(hostnames.get(id) ?? '', ci === undefined ? null : saidEnvironment(ci));
    },
    isRedundant: (id) => redundant.has(id),
    severeEvents: (id) => (open === null ? null : (open.get(id) ?? 0)),
  };
  return serviceView({ structure, impact, description, namedOf: namedOf(servers, cis) }, facts);
}
