import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type EngineSetup, javaOf, type Recipe } from './engine.ts';
import { answers } from './probe.ts';

const VERSION = '9.5.2';
const home = (place: EngineSetup): string => join(place.program, `elasticsearch-${VERSION}`);
const address = ({ ports }: EngineSetup): string => `http://127.0.0.1:${ports[0]}`;

const settings = ({ ports: [client, transport], data }: EngineSetup): string =>
  Object.entries({
    'cluster.name': 'faultline',
    'node.name': 'engine',
    'discovery.type': 'single-node',
    'network.host': '127.0.0.1',
    'http.port': client,
    'transport.port': transport,
    'path.data': join(data, 'data'),
    'path.logs': join(data, 'logs'),
    // Snapshots may be written there.
    'path.repo': join(data, 'snapshots'),
    'xpack.security.enabled': false,
    // A full disk of the developer's machine is no reason to refuse writes.
    'cluster.routing.allocation.disk.threshold_enabled': false,
    'action.destructive_requires_name': false,
  })
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
    .join('');

/** The options of the distribution without its 2 GB of garbage-collection logs. */
const jvmOptions = async (place: EngineSetup): Promise<string> => {
  const text = await readFile(join(home(place), 'config', 'jvm.options'), 'utf8');
  return text
    .split('\n')
    .filter((line) => !line.includes('-Xlog:gc'))
    .join('\n');
};

const configure = async (place: EngineSetup): Promise<void> => {
  const config = join(place.data, 'config');
  for (const folder of ['config/jvm.options.d', 'data', 'logs', 'snapshots', 'tmp'])
    await mkdir(join(place.data, folder), { recursive: true });
  await writeFile(join(config, 'elasticsearch.yml'), settings(place));
  await writeFile(join(config, 'jvm.options'), await jvmOptions(place));
  await cp(join(home(place), 'config', 'log4j2.properties'), join(config, 'log4j2.properties'));
};

/** Variables that the start script of the distribution would export. */
const variables = (place: EngineSetup) => ({
  HOSTNAME: 'localhost',
  ES_HOME: home(place),
  ES_PATH_CONF: join(place.data, 'config'),
  ES_DISTRIBUTION_TYPE: 'zip',
  ES_TMPDIR: join(place.data, 'tmp'),
  ES_JAVA_HOME: place.java,
  JAVA: javaOf(place),
  JAVA_TYPE: 'ES_JAVA_HOME',
  ES_JAVA_OPTS: '-Xms512m -Xmx512m -XX:-AlwaysPreTouch',
  CLI_JAVA_OPTS: '-Xms4m -Xmx64m',
});

/** The plain server: no scripts, by-query calls, data streams or life cycles, so what runs here runs on every Elasticsearch 9. */
export const elasticsearch: Recipe = {
  name: 'elasticsearch',
  title: 'Elasticsearch',
  version: VERSION,
  variable: 'ELASTICSEARCH_URL',
  artifact: {
    kind: 'archive',
    coordinates: `org.elasticsearch.distribution.integ-test-zip:elasticsearch:${VERSION}:zip`,
  },
  portCount: 2,
  refusesRoot: true,
  address,
  configure,
  command: (place) => ({
    program: javaOf(place),
    args: [
      '-Xms4m',
      '-Xmx64m',
      '-XX:+UseSerialGC',
      '-XX:TieredStopAtLevel=1',
      '-cp',
      join(home(place), 'lib/tools/server-launcher/*'),
      'org.elasticsearch.server.launcher.ServerLauncher',
    ],
    // Modules are looked for below the current folder.
    folder: home(place),
    variables: variables(place),
  }),
  // `GET /` is not in the plain server.
  isReady: (place) => answers(`${address(place)}/_cluster/health?wait_for_status=yellow&timeout=1s`),
};
