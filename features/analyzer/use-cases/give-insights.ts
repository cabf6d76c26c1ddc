import { requirePermission } from '#application/access/require-permission.ts';
import type { Claim } from '#domain/ai/evidence.ts';
import { type AiMode, answer, type Grounds } from '#features/ai/use-cases/answer.ts';
import { type SaidService, sayService } from '#features/analyzer/rules/insights/say-service.ts';
import type { ServiceView } from '#features/analyzer/rules/insights/service-view.ts';
import type { MappedServer } from '#features/analyzer/rules/servers/structure.ts';
import type { AnalyzerContext } from './context.ts';
import { type GivenLink, knownCis, linksAmong } from './given-servers.ts';
import { seeService } from './see-service.ts';

const TASK =
  'Tell an architect how this service is built and what endangers it. One sentence about each finding, its item first in refs; the structure first.';
/** Risks in the summary of the rules. */
const SUMMED_UP = 3;

export interface ServerInsightsAsked {
  /** Host names are null where the CMDB has to say them. */
  readonly servers: readonly (Omit<MappedServer, 'hostname'> & { readonly hostname: string | null })[];
  readonly links: readonly GivenLink[];
  readonly description: string | null;
  readonly mode: AiMode;
}

export interface ServiceInsights {
  readonly view: ServiceView;
  readonly summary: string;
  readonly architecture: string;
  /** In the order of the risks of `said`. */
  readonly risks: readonly string[];
  readonly said: SaidService;
  readonly grounds: Grounds;
}

/** A model's sentence that begins with this item takes the place of ours. */
const wordsFor = (ref: string | null, text: string, claims: readonly Claim[], { generatedBy }: Grounds): string =>
  (generatedBy === 'model' && claims.find(({ refs }) => ref !== null && refs[0] === ref)?.text) || text;

function summaryOf({ risks, architecture, findings }: SaidService, claims: readonly Claim[], grounds: Grounds): string {
  const told = new Set(risks.slice(SUMMED_UP).map(({ text }) => text));
  const own = grounds.generatedBy === 'model' ? claims : findings.claims.filter(({ text }) => !told.has(text));
  return (own.length === 0 ? [architecture] : own).map(({ text }) => text).join(' ');
}

/** How a service is built and what endangers it; nothing is stored. */
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
  const said = sayService(view);
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
