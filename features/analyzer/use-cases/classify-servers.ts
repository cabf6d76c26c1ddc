import { requirePermission } from '#application/access/require-permission.ts';
import type { Claim } from '#domain/ai/evidence.ts';
import { itemAt } from '#domain/assert.ts';
import { type AiMode, type AnswerEvidence, answer } from '#features/ai/use-cases/answer.ts';
import { choose, evidenceWith, type ModelChoice } from '#features/ai/use-cases/choose.ts';
import { ROLE_NAMES, ROLES } from '#features/analyzer/rules/catalogue/roles.ts';
import {
  describeClassified,
  reasoningOf,
  type SaidClassified,
} from '#features/analyzer/rules/insights/describe-classified.ts';
import { classify } from '#features/analyzer/rules/servers/classify.ts';
import { CLASSIFIED_FROM, type Classified, type ServerLink } from '#features/analyzer/rules/servers/server.ts';
import { ownLinks, serviceGraph } from '#features/analyzer/rules/servers/service-graph.ts';
import { type ServiceMap, serviceMapOf } from '#features/analyzer/rules/servers/service-map.ts';
import { centralityOf } from './centrality.ts';
import type { AnalyzerContext } from './context.ts';
import { completed, type GivenLink, type GivenServer, knownCis, linksAmong, namedOf } from './given-servers.ts';

const SERVICE = 'analyzer-classify';
const TASK = 'For each machine, state its role in this service and the evidence for it in one sentence.';
const ROLE_TASK = 'Which role has each machine in this service?';

export interface ClassifyAsked {
  readonly servers: readonly GivenServer[];
  readonly links: readonly GivenLink[];
  readonly description: string | null;
  readonly mode: AiMode;
}

interface ClassifiedServer extends Classified {
  readonly reasoning: string;
  /** The source of the role. */
  readonly source: 'rules' | 'model';
}
export interface ClassifiedService {
  readonly servers: readonly ClassifiedServer[];
  readonly map: ServiceMap;
  readonly grounds: AnswerEvidence;
}

/** Names the roles of servers that rules leave open; null when none is, or no model is to be asked. */
async function chooseRoles(
  context: AnalyzerContext,
  servers: readonly Classified[],
  { findings, refs }: SaidClassified,
  mode: AiMode,
): Promise<ModelChoice | null> {
  const open = servers.filter(({ role }) => role === 'unclassified').flatMap(({ id }) => refs.get(id) ?? []);
  if (mode === 'rules' || open.length === 0) return null;
  const of = open.map((ref) => ({ ref, among: ROLE_NAMES }));
  const { pack, claims } = findings;
  return choose(context, { service: SERVICE, pack, claims, of, task: ROLE_TASK, mode });
}

/** The server with the role that a model has chosen, if it has. */
function withChoice(server: Classified, ref: string | undefined, chosen: ModelChoice | null): Classified {
  const role = ROLE_NAMES.find((one) => ref !== undefined && one === chosen?.choices.get(ref));
  if (role === undefined) return server;
  const reasons = ['a model chose this role', ...server.reasons];
  return { ...server, role, tier: ROLES[role], confidence: CLASSIFIED_FROM, reasons };
}

/** A model's sentence about this server alone replaces the rule's. */
const wordsFor = (
  server: Classified,
  ref: string | undefined,
  claims: readonly Claim[],
  grounds: AnswerEvidence,
): string =>
  (grounds.generatedBy === 'model' && claims.find(({ refs }) => refs[0] === ref && refs.length === 1)?.text) ||
  reasoningOf(server);

async function mapOf({ ports }: AnalyzerContext, servers: readonly Classified[], links: readonly ServerLink[]) {
  const ids = servers.map(({ id }) => id);
  return serviceMapOf(servers, links, await centralityOf(serviceGraph(ids, ownLinks(servers, links)), ports.clock));
}

/** Roles and tiers of servers, and where each stands in the service; nothing is stored. */
export async function classifyServers(context: AnalyzerContext, asked: ClassifyAsked): Promise<ClassifiedService> {
  requirePermission(context, 'cmdb.read');
  const { description, mode } = asked;
  const cis = await knownCis(
    context,
    asked.servers.map(({ id }) => id),
  );
  const servers = completed(asked.servers, cis);
  const ended = servers.map(({ id, hostname }, i) => ({ id, hostname, ipAddress: itemAt(asked.servers, i).ipAddress }));
  const links = linksAmong(ended, asked.links);
  const byRules = classify(servers, links);
  const named = namedOf(servers, cis);
  const open = describeClassified(byRules, named, description);
  const chosen = await chooseRoles(context, byRules, open, mode);
  const classified = byRules.map((server) => withChoice(server, open.refs.get(server.id), chosen));
  const { findings, refs } = chosen === null ? open : describeClassified(classified, named, description);
  const { pack, claims } = findings;
  const question = {
    service: SERVICE,
    pack,
    claims,
    task: TASK,
    abstained: classified.every(({ role }) => role === 'unclassified'),
    // A model that has chosen roles was asked once already: sentences are then those of the rules.
    mode: chosen === null ? mode : 'rules',
  } as const;
  const said = await answer(context, question);
  return {
    servers: classified.map((server, i) => ({
      ...server,
      reasoning: wordsFor(server, refs.get(server.id), said.claims, said.grounds),
      source: server.role === itemAt(byRules, i).role ? 'rules' : 'model',
    })),
    map: await mapOf(context, classified, links),
    grounds: evidenceWith(chosen, said.grounds),
  };
}
