import type { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { groundsBody } from '#features/ai/schemas/grounds.ts';
import { DiscoveredBody, DiscoverServers, discoverAsked } from '#features/analyzer/schemas/discover.ts';
import type { DiscoverAsked } from '#features/analyzer/use-cases/discovery/asked.ts';
import {
  type DiscoveredService,
  discoverService as discover,
} from '#features/analyzer/use-cases/discovery/discover-service.ts';
import { operatingSystemOf, processesOf } from '#features/analyzer/use-cases/discovery/machines.ts';
import { iso } from '#schemas/http/time.ts';
import { asking, BASE } from './common.ts';

/** Processes, and programs, that are shown of a server: classify takes 8 MiB. */
const MOST_SHOWN = 50;

type Body = Omit<z.output<typeof DiscoveredBody>, 'success'>;

const serverBody = ({ machine, score, matched }: DiscoveredService['servers'][number]): Body['servers'][number] => ({
  ciId: machine.ci.id,
  hostname: machine.hostname,
  ipAddress: machine.addresses[0] ?? null,
  operatingSystem: operatingSystemOf(machine),
  type: machine.ci.type,
  installedSoftware: machine.software.slice(0, MOST_SHOWN).map(({ name, version }) => ({ name, version })),
  runningProcesses: processesOf(machine)
    .slice(0, MOST_SHOWN)
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
    ...groundsBody(grounds),
  };
};

export const discoverService = endpoint<DiscoverAsked, DiscoveredService>({
  ...asking,
  id: 'analyzer.discover',
  summary: 'Find the servers that a service runs on, and what connects them',
  description:
    'Takes what enrich returns; nothing is stored, and no model is asked. CIs are judged by what scans have seen of them: software, processes, listeners and connections. Needs cmdb.read too.',
  alsoFaults: ['unavailable'],
  mounts: [
    mount({
      on: 'ai',
      method: 'post',
      path: `${BASE}/discover`,
      body: DiscoverServers,
      reply: DiscoveredBody,
      read: ({ body }) => discoverAsked(body),
      present: (found) => ({ body: bodyOf(found) }),
    }),
  ],
  handle: (asked, context) => discover(context, asked),
});
