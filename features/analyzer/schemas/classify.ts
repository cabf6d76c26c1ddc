import { z } from 'zod';
import { groundsFields } from '#features/ai/schemas/grounds.ts';
import { ROLE_NAMES, TIERS } from '#features/analyzer/rules/catalogue/roles.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { DiscoveredBody } from './discover.ts';
import { Connections, Servers, ServiceDescription, sentOn } from './servers.ts';

/** Roles and tiers of servers (docs/services.md). */

export const ClassifyServers = z
  .strictObject({
    ...sentOn(DiscoveredBody, ['servers', 'connections']),
    servers: Servers.meta({ description: 'As discover returns them' }),
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
    confidence: z.number().min(0).max(1).meta({ description: 'Chance of the tier' }),
    reasoning: z.string(),
    source: z.enum(['rules', 'model']).meta({ description: 'Who has named the role' }),
  })
  .meta({ id: 'ClassifiedServer' });

const Tier = z.object({ servers: z.array(z.string()), description: z.string() }).meta({ id: 'ServiceTier' });
const ids = z.array(z.string());

export const ClassifiedBody = succeeded({
  classifiedServers: z.array(ClassifiedServer),
  serviceTiers: z.object({ frontend: Tier, application: Tier, data: Tier, infrastructure: Tier }),
  serviceTopology: z.object({
    entryPoints: ids.meta({ description: 'The frontend tier, and what is called from outside only' }),
    coreSystems: ids.meta({ description: 'The application tier, and the servers on most ways between others' }),
    dependencies: ids.meta({ description: 'Data and infrastructure that frontend and application connect to' }),
    supportSystems: ids.meta({ description: 'Monitoring, backup, names, directories and the like' }),
  }),
  unclassified: ids.meta({ description: 'Servers of which the role is not clear' }),
  ...groundsFields,
});
