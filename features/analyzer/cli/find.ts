import type { Command } from 'commander';
import { CliError, type Client } from '#cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, show } from '#cli/client/connection.ts';
import type { ReplyOf } from '#cli/client/replies.ts';
import { counted, type Screen, tableOf } from '#cli/terminal/screen.ts';
import type { DiscoveredBody } from '#features/analyzer/schemas/discover.ts';
import type { EnrichedBody } from '#features/analyzer/schemas/enrich.ts';

const PATH = '/api/business-service-analyzer';

interface FindOptions extends ConnectionOptions {
  readonly process?: string[];
  readonly software?: string[];
  readonly port?: string[];
  readonly host?: string[];
  readonly server?: string[];
  readonly allConnections?: boolean;
}

type EnrichedReply = ReplyOf<typeof EnrichedBody>;
type FoundReply = ReplyOf<typeof DiscoveredBody>;

type ServiceProfile = Pick<EnrichedReply['enrichedData'], 'processes' | 'software' | 'ports' | 'searchPatterns'>;
const NOTHING: ServiceProfile = {
  processes: [],
  software: [],
  ports: [],
  searchPatterns: { hostnames: [], processes: [], software: [] },
};

const described = async (client: Client, description: string): Promise<ServiceProfile> =>
  description === '' ? NOTHING : (await client.post<EnrichedReply>(`${PATH}/enrich`, { description })).enrichedData;

const numberOf = (text: string): number => {
  const port = Number(text);
  if (!(Number.isInteger(port) && port > 0 && port < 65_536))
    throw new CliError(`--port: expected a whole number from 1 to 65535, got ${text}`);
  return port;
};

/** Servers and connections as tables. */
function foundText({ servers, connections, truncated }: FoundReply): string {
  if (servers.length === 0) return 'No matching servers. Discovery scans provide the running software (docs/cmdb.md).';
  const serverTable = tableOf(
    ['server', 'IP address', { title: 'score', right: true }, { title: 'matched on', width: 60 }],
    servers.map(({ hostname, ipAddress, score, matched }) => [
      hostname,
      ipAddress ?? '–',
      score.toFixed(2),
      matched.join('; '),
    ]),
  );
  const summary = `${counted(servers.length, 'server')}, ${counted(connections.length, 'connection')}${truncated ? '; there may be more' : ''}`;
  if (connections.length === 0) return `${serverTable}\n${summary}`;
  const connectionTable = tableOf(
    ['from', 'process', 'to', { title: 'port', right: true }],
    connections.map(({ sourceHostname, process, targetHostname, port }) => [
      sourceHostname,
      process,
      targetHostname,
      port === null ? '–' : String(port),
    ]),
  );
  return `${serverTable}\n${connectionTable}\n${summary}`;
}

const nothingToLookFor = (description: string): string =>
  description === ''
    ? 'describe the software, for example "Tomcat and PostgreSQL", or pass --process, --software, --port, --host or --server'
    : `no known software in "${description}"; name a product, for example Tomcat, or pass --process, --software, --port, --host or --server`;

const collected = (value: string, before: string[] = []): string[] => [...before, value];

/** `faultline service find`: enrich and discover in one. */
export const addFind = (service: Command, screen: Screen): Command =>
  connected(service.command('find'))
    .argument('[description]', 'service description, for example "Tomcat and PostgreSQL on shop-app-01"', '')
    .description('find the servers of a service by running software')
    .option('--process <name>', 'process name (repeatable, like the other options)', collected)
    .option('--software <name>', 'installed software (repeatable)', collected)
    .option('--port <n>', 'listening port', collected)
    .option('--host <pattern>', 'hostname pattern, for example shop-*', collected)
    .option('--server <id>', 'CI known to belong to the service', collected)
    .option('--all-connections', 'include connections to other hosts')
    .action(async (description: string, options: FindOptions) => {
      const client = clientOf(options);
      const { processes, software, ports, searchPatterns } = await described(client, description);
      const asked = [options.process, options.software, options.port, options.host, options.server];
      const known = [
        ...processes,
        ...software,
        ...ports,
        ...searchPatterns.hostnames,
        ...asked.flatMap((some) => some ?? []),
      ];
      if (known.length === 0) throw new CliError(nothingToLookFor(description));
      const found = await client.post<FoundReply>(`${PATH}/discover`, {
        processes: [...processes, ...(options.process ?? [])],
        software: [...software, ...(options.software ?? [])],
        ports: [...ports, ...(options.port ?? []).map(numberOf)],
        searchPatterns: { hostnames: [...searchPatterns.hostnames, ...(options.host ?? [])] },
        existingServerIds: options.server ?? [],
        includeAllConnections: options.allConnections ?? false,
      });
      show(screen, options, found, foundText);
    });
