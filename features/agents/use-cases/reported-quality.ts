import { AGENTS } from '#features/agents/rules/agents.ts';
import { listAgents } from './performance.ts';

const judged = async ({ asking }: { readonly asking: Parameters<typeof listAgents>[0] }) => {
  const agents = (await listAgents(asking)).filter(({ id }) => id === 'correlation' || id === 'root-cause');
  return agents.map(({ id, performance: { decisionsMade, judged: known, successRate, interval } }) => ({
    name: AGENTS[id].name,
    decisions: decisionsMade,
    judged: known,
    successRate,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
  }));
};

export const reported = { judged };
