import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type EngineSetup, javaOf, propertyLines, type Recipe } from './engine.ts';

const VERSION = '2026.08.1';
const FOLDERS = ['data', 'logs', 'run', 'plugins', 'import'];

/** Any key that the server does not know stops its start. */
const settings = ({ ports: [client], data }: EngineSetup) => ({
  ...Object.fromEntries(FOLDERS.map((folder) => [`server.directories.${folder}`, join(data, folder)])),
  'server.bolt.enabled': true,
  'server.bolt.listen_address': `127.0.0.1:${client}`,
  'server.bolt.advertised_address': `127.0.0.1:${client}`,
  'server.http.enabled': false,
  'server.https.enabled': false,
  'dbms.security.auth_enabled': false,
  'server.memory.pagecache.size': '64m',
  'dbms.usage_report.enabled': false,
  'server.fleet_discovery.enabled': false,
  'dbms.fleet_manager.enabled': false,
  // Without these three an empty database takes 517 MB.
  'db.tx_log.preallocate': false,
  'db.tx_log.rotation.size': '16m',
  'db.tx_log.rotation.retention_policy': 'keep_none',
  // Without these two a stop takes 13 s.
  'internal.server.bolt.thread_pool_shutdown_wait_time': '0s',
  'internal.server.bolt.connection_shutdown_wait_time': '0s',
});

/** Neo4j Community without authentication, Bolt only. */
export const neo4j: Recipe = {
  name: 'neo4j',
  title: 'Neo4j',
  version: VERSION,
  variable: 'NEO4J_URL',
  artifact: { kind: 'jars', coordinates: [`org.neo4j.app:neo4j-server:${VERSION}`, `org.neo4j:neo4j:${VERSION}`] },
  portCount: 1,
  refusesRoot: false,
  address: ({ ports }) => `bolt://127.0.0.1:${ports[0]}`,
  async configure(place) {
    for (const folder of ['conf', ...FOLDERS]) await mkdir(join(place.data, folder), { recursive: true });
    await writeFile(join(place.data, 'conf', 'neo4j.conf'), propertyLines(settings(place)));
  },
  command: (place) => ({
    program: javaOf(place),
    args: [
      '-Xms256m',
      '-Xmx256m',
      '-XX:+UseSerialGC',
      '--enable-native-access=ALL-UNNAMED',
      '-cp',
      join(place.program, 'lib', '*'),
      'org.neo4j.server.Neo4jCommunity',
      `--home-dir=${place.data}`,
      `--config-dir=${join(place.data, 'conf')}`,
      '--console-mode',
    ],
    folder: place.data,
    variables: {},
  }),
  // Bolt answers a little before the databases are there; this line comes after.
  isReady: async (_place, printed) => printed.includes('Started.'),
};
