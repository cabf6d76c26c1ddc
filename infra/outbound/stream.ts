import { Agent, request } from 'undici';
import type { Streaming } from '#domain/ports/outbound.ts';

/** Maximum number of open streams per server: a hundred Kubernetes sources have twelve each. */
const CONNECTIONS = 1_200;
const KEPT_MS = 10_000;
/** Maximum number of sets of certificate authorities. */
const MAX_AGENTS = 200;

type Connect = Agent.Options['connect'] & object;

/** Requests whose replies are read as they arrive, each with its own certificate authorities. */
export const openStreams = (connect: Connect) => {
  const agents = new Map<string, Agent>();
  const agentFor = (ca: string): Agent => {
    const known = agents.get(ca);
    if (known !== undefined) return known;
    const [oldest] = agents;
    if (oldest !== undefined && agents.size >= MAX_AGENTS) {
      agents.delete(oldest[0]);
      oldest[1].close().catch(() => undefined);
    }
    const agent = new Agent({
      connections: CONNECTIONS,
      pipelining: 1,
      keepAliveTimeout: KEPT_MS,
      keepAliveMaxTimeout: KEPT_MS,
      connect: { ...connect, ...(ca !== '' && { ca }) },
    });
    agents.set(ca, agent);
    return agent;
  };
  return {
    async open(url: string, { headers, timeoutMs, ca = '', signal }: Streaming) {
      const limits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
      const { statusCode, body } = await request(url, { headers, signal, dispatcher: agentFor(ca), ...limits });
      return { status: statusCode, body };
    },
    close(): void {
      for (const agent of agents.values()) agent.destroy().catch(() => undefined);
    },
  };
};
