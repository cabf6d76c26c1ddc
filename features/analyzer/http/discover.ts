import type { z } from 'zod';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { evidenceBody } from '#features/ai/schemas/answer-evidence.ts';
import { DiscoveredBody, DiscoverServers, discoverAsked } from '#features/analyzer/schemas/discover.ts';
import type { DiscoverAsked } from '#features/analyzer/use-cases/discovery/asked.ts';
import {
  type DiscoveredService,
  discoverService as discover,
} from '#features/analyzer/use-cases/discovery/discover-service.ts';
import { operatingSystemOf, processesOf } from '#features/analyzer/use-cases/discovery/machines.ts';
import { iso } from '#schemas/http/time.ts';
import { asking, BASE } from './common.ts';

/** Maximum number of processes and programs shown per server: classify accepts 8 MiB. */
const MAX_SHOWN = 50;

type Body = Omit<z.output<typeof DiscoveredBody>, 'success'>;

const serverBody = ({ machine, score, matched }: DiscoveredService['servers'][number]): Body['servers'][number] => ({
  ciId: machine.ci.id,
  hostname: machine.hostname,
  ipAddress: machine.addresses[0] ?? null,
  operatingSystem: operatingSystemOf(machine),
  type: machine.ci.type,
  installedSoftware: machine.software.slice(0, MAX_SHOWN).map(({ name, version }) => ({ name, version })),
  runningProcesses: processesOf(machine)
    .slice(0, MAX_SHOWN)
    .map(({ name, port, lastSeen }) => ({ name, port, lastSeen: iso(lastSeen) })),
  score,
  matched: [...matched],
});

const bodyOf = ({ servers, connections, truncated, grounds }: DiscoveredService): Body => {
  const processes = new Set(servers.flatMap(({ machine }) => processesOf(machine).map(({ name }) => name)));
  return {
    servers: servers.map(serverBody),
    connections: connections.map(({ firstSeen, lastSeen, ...one }) => ({
      ...one,
      firstSeen: iso(firstSeen),
      lastSeen: iso(lastSeen),
    })),
    statistics: { totalServers: servers.length, totalConnections: connections.length, uniqueProcesses: processes.size },
    truncated,
    ...evidenceBody(grounds),
  };
};

export const discoverService = endpoint<DiscoverAsked, DiscoveredService>({
  ...asking,
  id: 'analyzer.discover',
  summary: 'Discover servers of a service',
  description:
    'Accepts the result of enrich. Read-only; no model is used. Matches CIs by scanned software, processes, listeners and connections. Also requires cmdb.read.',
  alsoFaults: ['unavailable'],
  mounts: on.ai.post(`${BASE}/discover`, {
    body: DiscoverServers,
    reply: DiscoveredBody,
    read: ({ body }) => discoverAsked(body),
    present: (found) => ({ body: bodyOf(found) }),
  }),
  handle: (asked, context) => discover(context, asked),
});
