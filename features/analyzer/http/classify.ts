import type { z } from 'zod';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { AiModeHeader, aiMode, evidenceBody } from '#features/ai/schemas/answer-evidence.ts';
import { ClassifiedBody, ClassifyServers } from '#features/analyzer/schemas/classify.ts';
import { givenLink, givenServer } from '#features/analyzer/schemas/servers.ts';
import {
  type ClassifiedService,
  type ClassifyAsked,
  classifyServers,
} from '#features/analyzer/use-cases/classify-servers.ts';
import { asking, BASE, MAX_BYTES } from './common.ts';

const bodyOf = ({ servers, map, grounds }: ClassifiedService): Omit<z.output<typeof ClassifiedBody>, 'success'> => {
  const { tiers, unclassified, ...topology } = map;
  const tier = (name: keyof typeof tiers) => ({ ...tiers[name], servers: [...tiers[name].servers] });
  return {
    classifiedServers: servers.map(({ id, hostname, role, tier: own, confidence, reasoning, source }) => ({
      ciId: id,
      hostname,
      role,
      tier: own,
      confidence,
      reasoning,
      source,
    })),
    serviceTiers: {
      frontend: tier('frontend'),
      application: tier('application'),
      data: tier('data'),
      infrastructure: tier('infrastructure'),
    },
    serviceTopology: {
      entryPoints: [...topology.entryPoints],
      coreSystems: [...topology.coreSystems],
      dependencies: [...topology.dependencies],
      supportSystems: [...topology.supportSystems],
    },
    unclassified: [...unclassified],
    ...evidenceBody(grounds),
  };
};

export const classifyService = endpoint<ClassifyAsked, ClassifiedService>({
  ...asking,
  id: 'analyzer.classify',
  headers: AiModeHeader,
  summary: 'Classify servers',
  description:
    "Accepts servers and connections from discover. Read-only. Also requires cmdb.read. A model assigns roles only where rules can't.",
  mounts: on.ai.post(`${BASE}/classify`, {
    body: ClassifyServers,
    maxBytes: MAX_BYTES,
    reply: ClassifiedBody,
    read: ({ body, headers }) => ({
      servers: body.servers.map(givenServer),
      links: body.connections.map(givenLink),
      description: body.serviceDescription ?? null,
      mode: aiMode(headers),
    }),
    present: (classified) => ({ body: bodyOf(classified) }),
  }),
  handle: (asked, context) => classifyServers(context, asked),
});
