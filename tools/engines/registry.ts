import { join } from 'node:path';
import { type EngineSetup, javaOf, type Recipe } from './engine.ts';
import { answers } from './probe.ts';

/** Confluent's interface, as Apicurio serves it. */
const address = ({ ports }: EngineSetup): string => `http://127.0.0.1:${ports[0]}/apis/ccompat/v7`;

const settings = ({ ports: [client, management], data }: EngineSetup) => ({
  'quarkus.http.host': '127.0.0.1',
  'quarkus.http.port': client,
  'quarkus.management.host': '127.0.0.1',
  'quarkus.management.port': management,
  'quarkus.log.level': 'WARN',
  'quarkus.banner.enabled': false,
  // In a file, or schemas and their ids would be gone after a restart.
  'apicurio.datasource.url': `jdbc:h2:file:${join(data, 'registry')};DB_CLOSE_ON_EXIT=FALSE`,
  'apicurio.datasource.jdbc.initial-size': 2,
  'apicurio.datasource.jdbc.min-size': 2,
  'apicurio.datasource.jdbc.max-size': 10,
});

/** Apicurio Registry with an H2 file as its store. */
export const registry: Recipe = {
  name: 'registry',
  title: 'Apicurio Registry',
  version: '3.3.3',
  variable: 'SCHEMA_REGISTRY_URL',
  artifact: { kind: 'archive', coordinates: 'io.apicurio:apicurio-registry-app:3.3.3:tar.gz:all' },
  portCount: 2,
  refusesRoot: false,
  address,
  configure: async () => undefined,
  command: (place) => ({
    program: javaOf(place),
    args: [
      '-Xmx256m',
      '-XX:+UseSerialGC',
      '-XX:TieredStopAtLevel=1',
      ...Object.entries(settings(place)).map(([key, value]) => `-D${key}=${value}`),
      '-jar',
      'quarkus-run.jar',
    ],
    folder: place.program,
    variables: {},
  }),
  isReady: (place) => answers(`${address(place)}/subjects`),
};
