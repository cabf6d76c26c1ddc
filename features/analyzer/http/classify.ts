import type { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { aiMode, groundsBody } from '#features/ai/schemas/grounds.ts';
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
    ...groundsBody(grounds),
  };
};

export const classifyService = endpoint<ClassifyAsked, ClassifiedService>({
  ...asking,
  id: 'analyzer.classify',
  summary: 'Tell roles and tiers of servers, and where each stands in the service',
  description:
    'Takes servers and connections as discover returns them; nothing is stored. Needs cmdb.read too. Header X-AI-Mode: rules, model or auto; a model names roles only where rules leave them open.',
  mounts: [
    mount({
      on: 'ai',
      method: 'post',
      path: `${BASE}/classify`,
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
  ],
  handle: (asked, context) => classifyServers(context, asked),
});
