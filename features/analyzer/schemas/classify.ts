import { z } from 'zod';
import { evidenceFields } from '#features/ai/schemas/answer-evidence.ts';
import { ROLE_NAMES, TIERS } from '#features/analyzer/rules/catalogue/roles.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { DiscoveredBody } from './discover.ts';
import { Connections, Servers, ServiceDescription, sentOn } from './servers.ts';

/** Roles and tiers of servers (docs/services.md). */

export const ClassifyServers = z
  .strictObject({
    ...sentOn(DiscoveredBody, ['servers', 'connections']),
    servers: Servers.meta({ description: 'Result of discover' }),
    connections: Connections.default([]),
    serviceDescription: ServiceDescription,
  })
  .meta({ id: 'ClassifyServers' });

const ClassifiedServer = z
  .object({
    ciId: z.string(),
    hostname: z.string(),
    role: z.enum([...ROLE_NAMES, 'unclassified']),
    tier: z.enum([...TIERS, 'unclassified']),
    confidence: z.number().min(0).max(1).meta({ description: 'Probability of the tier' }),
    reasoning: z.string(),
    source: z.enum(['rules', 'model']).meta({ description: 'Origin of the role' }),
  })
  .meta({ id: 'ClassifiedServer' });

const Tier = z.object({ servers: z.array(z.string()), description: z.string() }).meta({ id: 'ServiceTier' });
const ids = z.array(z.string());

export const ClassifiedBody = succeeded({
  classifiedServers: z.array(ClassifiedServer),
  serviceTiers: z.object({ frontend: Tier, application: Tier, data: Tier, infrastructure: Tier }),
  serviceTopology: z.object({
    entryPoints: ids.meta({ description: 'Frontend tier and servers accessed only from outside' }),
    coreSystems: ids.meta({ description: 'Application tier and servers on most paths between others' }),
    dependencies: ids.meta({ description: 'Data and infrastructure that frontend and application connect to' }),
    supportSystems: ids.meta({ description: 'Monitoring, backup, DNS, directory and similar servers' }),
  }),
  unclassified: ids.meta({ description: 'Servers with an unclear role' }),
  ...evidenceFields,
});
