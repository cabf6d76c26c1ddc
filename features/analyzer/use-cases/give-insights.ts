import { requirePermission } from '#application/access/require-permission.ts';
import { edgesAround } from '#application/services/edges.ts';
import { impactNow } from '#application/services/impact-now.ts';
import type { Claim } from '#domain/ai/evidence.ts';
import { type Ci, redundancyOf } from '#domain/topology/topology.ts';
import { type AiMode, type AnswerEvidence, answer } from '#features/ai/use-cases/answer.ts';
import { describeService, type SaidService } from '#features/analyzer/rules/insights/describe-service.ts';
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
import { centralityOf } from './centrality.ts';
import type { AnalyzerContext } from './context.ts';
import { type GivenLink, knownCis, linksAmong, namedOf } from './given-servers.ts';

const MAX_IMPACT = 1_000;
/** Maximum number of possible single points of failure whose redundancy is looked up in the CMDB. */
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
  const { impact, services: hit } = await impactNow(context, ids, { limit: MAX_IMPACT });
  const { impacted, truncated } = impact;
  const own = new Set(ids);
  const below = impacted.filter(({ ci }) => !own.has(ci)).map(({ ci, name, type }) => ({ id: ci, name, type }));
  return { services: hit.map(({ service }) => service), below, truncated };
}

/** Reads the input of the rules for a service. */
async function seeService(
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

const TASK =
  'Tell an architect how this service is built and what endangers it. One sentence about each finding, its item first in refs; the structure first.';
/** Risks in the summary of the rules. */
const SUMMED_UP = 3;

export interface ServerInsightsAsked {
  /** Hostnames are null where the CMDB has to provide them. */
  readonly servers: readonly (Omit<MappedServer, 'hostname'> & { readonly hostname: string | null })[];
  readonly links: readonly GivenLink[];
  readonly description: string | null;
  readonly mode: AiMode;
}

export interface ServiceInsights {
  readonly view: ServiceView;
  readonly summary: string;
  readonly architecture: string;
  /** Texts in the order of the risks of `said`. */
  readonly risks: readonly string[];
  readonly said: SaidService;
  readonly grounds: AnswerEvidence;
}

/** A model's sentence that begins with this item replaces the rule's. */
const wordsFor = (
  ref: string | null,
  text: string,
  claims: readonly Claim[],
  { generatedBy }: AnswerEvidence,
): string => (generatedBy === 'model' && claims.find(({ refs }) => ref !== null && refs[0] === ref)?.text) || text;

function summaryOf(
  { risks, architecture, findings }: SaidService,
  claims: readonly Claim[],
  grounds: AnswerEvidence,
): string {
  const told = new Set(risks.slice(SUMMED_UP).map(({ text }) => text));
  const own = grounds.generatedBy === 'model' ? claims : findings.claims.filter(({ text }) => !told.has(text));
  return (own.length === 0 ? [architecture] : own).map(({ text }) => text).join(' ');
}

/** Describes the structure and the risks of a service; stores nothing. */
export async function giveInsights(context: AnalyzerContext, asked: ServerInsightsAsked): Promise<ServiceInsights> {
  requirePermission(context, 'cmdb.read');
  const cis = await knownCis(
    context,
    asked.servers.filter(({ hostname }) => hostname === null).map(({ id }) => id),
  );
  const servers = asked.servers.map((one): MappedServer => {
    return { ...one, hostname: one.hostname ?? cis.get(one.id)?.name ?? one.id };
  });
  const ended = servers.map(({ id, hostname }) => ({ id, hostname, ipAddress: null }));
  const view = await seeService(context, servers, linksAmong(ended, asked.links), asked.description);
  const said = describeService(view);
  const { pack, claims } = said.findings;
  const question = { service: 'analyzer-insights', pack, claims, abstained: false, task: TASK, mode: asked.mode };
  const { claims: worded, grounds } = await answer(context, question);
  return {
    view,
    said,
    grounds,
    summary: summaryOf(said, worded, grounds),
    architecture: wordsFor(said.architecture.ref, said.architecture.text, worded, grounds),
    risks: said.risks.map(({ ref, text }) => wordsFor(ref, text, worded, grounds)),
  };
}
