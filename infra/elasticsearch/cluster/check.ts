import { setTimeout } from 'node:timers/promises';
import { type Client, errors } from '@elastic/elasticsearch';
import { Fault } from '#domain/fault.ts';
import type { Connection } from './connection.ts';
import { addFields, LAYOUT, type LayoutOptions, putTemplates } from './layout.ts';
import type { Names } from './names.ts';
import { isNotLetIn } from './refusals.ts';

const LEAST_VERSION = 9;
const PAUSE_MS = 1_000;

/** True when all data can be read and written. */
export async function isReady(connection: Connection): Promise<boolean> {
  try {
    // The one question that every build answers; many have neither ping nor info.
    const health = await connection.ask((client) =>
      client.cluster.health({ wait_for_status: 'yellow', timeout: '1s' }, { requestTimeout: 5_000, maxRetries: 0 }),
    );
    return !health.timed_out;
  } catch (error) {
    if (error instanceof errors.ResponseError && error.statusCode === 408) return false;
    const cause = causeOf(error);
    if (isNotLetIn(cause)) throw refusal(connection, cause);
    if (error instanceof errors.ElasticsearchClientError) throw refusal(connection, error);
    return false;
  }
}

/** Waits until the cluster is ready. Throws, and says what to do, when it is not after so many seconds. */
export async function awaitReady(connection: Connection, seconds: number): Promise<void> {
  for (let tried = 0; tried < seconds; tried += 1) {
    if (await isReady(connection)) return;
    await setTimeout(PAUSE_MS);
  }
  throw new Error(
    `Elasticsearch at ${connection.node} was not ready within ${seconds} s: start it, or correct ELASTICSEARCH_URL`,
  );
}

/** The words of the server, where a fault stands for them. */
const causeOf = (error: unknown): unknown => (error instanceof Fault ? error.cause : error);

function refusal({ node }: Connection, error: errors.ElasticsearchClientError): Error {
  if (isNotLetIn(error))
    return new Error(
      `Elasticsearch at ${node} lets us not in: set ELASTICSEARCH_USERNAME and ELASTICSEARCH_PASSWORD, or ELASTICSEARCH_API_KEY, of somebody who may manage indices and templates`,
      { cause: error },
    );
  return new Error(
    `The server at ${node} is no Elasticsearch ${LEAST_VERSION} (${error.message}): correct ELASTICSEARCH_URL`,
    { cause: error },
  );
}

interface Feature {
  readonly name: string;
  readonly probe: (client: Client, names: Names) => Promise<unknown>;
}

/** Features that not every build has; templates are tried by writing them. */
const FEATURES: readonly Feature[] = [
  {
    name: 'search at a point in time',
    async probe(client, names) {
      const { id } = await client.openPointInTime({ index: names.every('events'), keep_alive: '1m' });
      await client.closePointInTime({ id });
    },
  },
  {
    name: 'the list of the terms of a field',
    probe: (client, names) => client.termsEnum({ index: names.every('events'), field: 'event.tenant', size: 1 }),
  },
  {
    name: 'the analyzer "whitespace"',
    probe: (client) => client.indices.analyze({ analyzer: 'whitespace', text: 'disk full' }),
  },
];

async function need(connection: Connection, name: string, probe: () => Promise<unknown>): Promise<void> {
  try {
    await probe();
  } catch (error) {
    const cause = causeOf(error);
    if (isNotLetIn(cause)) throw refusal(connection, cause);
    if (!(error instanceof errors.ResponseError)) throw error;
    throw new Error(
      `Elasticsearch at ${connection.node} lacks ${name}, which Faultline needs: run the default distribution of Elasticsearch ${LEAST_VERSION}`,
      { cause: error },
    );
  }
}

async function checkVersion(connection: Connection): Promise<void> {
  const { nodes } = await connection.ask((client) => client.nodes.info({ filter_path: 'nodes.*.version' }));
  const old = Object.values(nodes).find(({ version }) => Number.parseInt(version, 10) < LEAST_VERSION);
  if (old !== undefined)
    throw new Error(`Elasticsearch at ${connection.node} is version ${old.version}: Faultline needs ${LEAST_VERSION}`);
}

/** Indices of another program's making are refused before anything is written to them. */
async function checkLayout(connection: Connection, { prefix }: Names): Promise<void> {
  const mappings = await connection.ask((client) => client.indices.getMapping({ index: `${prefix}-*` }));
  for (const [index, { mappings: mapping }] of Object.entries(mappings)) {
    const { layout } = (mapping._meta ?? {}) as { layout?: number };
    if (layout === LAYOUT) continue;
    throw new Error(
      `Index ${index} has layout ${layout ?? 'unknown'} and this version of Faultline needs ${LAYOUT}: delete the index, or choose another prefix`,
    );
  }
}

/** Checks version, features and stored indices, and writes the templates. Throws an error that says what to do. */
export async function prepare(connection: Connection, names: Names, options: LayoutOptions): Promise<void> {
  await checkVersion(connection);
  await checkLayout(connection, names);
  await need(connection, 'index templates', () => putTemplates(connection, names, options));
  await addFields(connection, names);
  for (const { name, probe } of FEATURES)
    await need(connection, name, () => connection.ask((client) => probe(client, names)));
}
