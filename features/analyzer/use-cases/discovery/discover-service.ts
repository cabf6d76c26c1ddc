import { type AnswerEvidence, answer } from '#features/ai/use-cases/answer.ts';
import { describeDiscovered } from '#features/analyzer/rules/insights/describe-discovered.ts';
import type { AnalyzerContext } from '#features/analyzer/use-cases/context.ts';
import type { DiscoverAsked } from './asked.ts';
import { type DiscoveredServers, discoverServers } from './discover-servers.ts';

export interface DiscoveredService extends DiscoveredServers {
  readonly grounds: AnswerEvidence;
}

/** Finds servers, with the evidence for each. */
export async function discoverService(context: AnalyzerContext, asked: DiscoverAsked): Promise<DiscoveredService> {
  const found = await discoverServers(context, asked);
  const told = found.servers.map(({ machine: { ci, hostname }, score, matched }) => ({
    id: ci.id,
    hostname,
    ci: { name: ci.name, type: ci.type },
    score,
    matched,
  }));
  const { pack, claims } = describeDiscovered(told, found.connections.length);
  const abstained = found.servers.length === 0;
  const question = { service: 'analyzer-discover', pack, claims, abstained, task: '', mode: 'rules' } as const;
  return { ...found, grounds: (await answer(context, question)).grounds };
}
