import neo4j, { type Driver, type Integer, isInt } from 'neo4j-driver';
import { addresses } from '#test/engines/addresses.ts';
import type { KeptEngines } from './kept.ts';

const INDICES = 'faultline-*';
const MOST = 10_000;
/** Settings that Elasticsearch sets itself. */
const OWN_SETTINGS = ['creation_date', 'uuid', 'version', 'provided_name', 'routing'];

const rest = async <T>(method: string, path: string, body?: string): Promise<T> => {
  const headers = { 'content-type': 'application/x-ndjson' };
  const isJson = path !== '_bulk?refresh=true';
  const reply = await fetch(`${addresses().elasticsearch}/${path}`, {
    method,
    headers: isJson ? { 'content-type': 'application/json' } : headers,
    ...(body !== undefined && { body }),
  });
  const answer = (await reply.json()) as T & { readonly errors?: boolean };
  if (!reply.ok || answer.errors) throw new Error(`${method} ${path}: ${JSON.stringify(answer).slice(0, 1_000)}`);
  return answer;
};

type Described = Omit<KeptEngines['indices'][string], 'documents' | 'settings'> & {
  readonly settings: { readonly index: Readonly<Record<string, unknown>> };
};
interface Hits {
  readonly hits: { readonly hits: KeptEngines['indices'][string]['documents'] };
}

const keptIndices = async (): Promise<KeptEngines['indices']> => {
  await rest('POST', `${INDICES}/_refresh`);
  const found = await rest<Record<string, Described>>('GET', INDICES);
  const kept = Object.entries(found).map(async ([name, { mappings, aliases, settings }]) => {
    const own = Object.entries(settings.index).filter(([key]) => !OWN_SETTINGS.includes(key));
    const query = JSON.stringify({ size: MOST, version: true });
    const documents = (await rest<Hits>('POST', `${name}/_search`, query)).hits.hits;
    const texts = documents.map(({ _id, _version, _source }) => ({ _id, _version, _source }));
    return [name, { mappings, aliases, settings: Object.fromEntries(own), documents: texts }] as const;
  });
  return Object.fromEntries(await Promise.all(kept));
};

/** JSON has no whole numbers of its own, which Neo4j tells from others. */
const WHOLE = '$whole';
const plain = (value: unknown): unknown => {
  if (isInt(value)) return { [WHOLE]: (value as Integer).toString() };
  return Array.isArray(value) ? value.map(plain) : value;
};
const typed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(typed);
  return typeof value === 'object' && value !== null && WHOLE in value ? neo4j.int(String(value[WHOLE])) : value;
};
const mapped = (properties: object, map: (value: unknown) => unknown): object =>
  Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, map(value)]));

const withDriver = async <T>(work: (driver: Driver) => Promise<T>): Promise<T> => {
  const driver = neo4j.driver(addresses().neo4j);
  try {
    return await work(driver);
  } finally {
    await driver.close();
  }
};

const NODES = 'MATCH (n) RETURN elementId(n) AS id, labels(n) AS labels, properties(n) AS properties ORDER BY id';
const RELATIONSHIPS = `MATCH (a)-[r]->(b) RETURN type(r) AS type, elementId(a) AS from, elementId(b) AS to,
  properties(r) AS properties ORDER BY elementId(r)`;
const SCHEMA = [
  'SHOW CONSTRAINTS YIELD createStatement RETURN createStatement ORDER BY createStatement',
  // Constraints make their own indexes.
  `SHOW INDEXES YIELD createStatement, owningConstraint, type WHERE owningConstraint IS NULL AND type <> 'LOOKUP'
   RETURN createStatement ORDER BY createStatement`,
];

const keptGraph = (): Promise<Pick<KeptEngines, 'schema' | 'nodes' | 'relationships'>> =>
  withDriver(async (driver) => {
    const rows = async (statement: string) =>
      (await driver.executeQuery(statement)).records.map((record) => record.toObject());
    const nodes = await rows(NODES);
    const places = new Map(nodes.map(({ id }, place) => [id, place]));
    return {
      schema: (await Promise.all(SCHEMA.map(rows))).flat().map(({ createStatement }) => createStatement as string),
      nodes: nodes.map(({ labels, properties }) => ({ labels, properties: mapped(properties, plain) })),
      relationships: (await rows(RELATIONSHIPS)).map(({ type, from, to, properties }) => ({
        type,
        from: places.get(from)!,
        to: places.get(to)!,
        properties: mapped(properties, plain),
      })),
    };
  });

/** Everything in the engines, as text. */
export const keepEngines = async (): Promise<Omit<KeptEngines, 'answers'>> => ({
  indices: await keptIndices(),
  ...(await keptGraph()),
});

const loadIndices = async (indices: KeptEngines['indices']): Promise<void> => {
  for (const [name, { documents, ...index }] of Object.entries(indices)) {
    await rest('PUT', name, JSON.stringify(index));
    // The versions of most documents are positions.
    const lines = documents.flatMap(({ _id, _version, _source }) => [
      { index: { _index: name, _id, version: _version, version_type: 'external' } },
      _source,
    ]);
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    if (lines.length > 0) await rest('POST', '_bulk?refresh=true', text);
  }
};

const loadGraph = ({ schema, nodes, relationships }: Omit<KeptEngines, 'answers'>): Promise<void> =>
  withDriver(async (driver) => {
    for (const { name } of (await driver.executeQuery('SHOW CONSTRAINTS YIELD name')).records.map((one) =>
      one.toObject(),
    ))
      await driver.executeQuery(`DROP CONSTRAINT ${name}`);
    for (const statement of schema) await driver.executeQuery(statement.replace(/ FOR /, ' IF NOT EXISTS FOR '));
    const given = <T extends { readonly properties: object }>(all: readonly T[]) =>
      all.map((one, place) => ({ ...one, place, properties: mapped(one.properties, typed) }));
    await driver.executeQuery(
      'UNWIND $nodes AS node CREATE (n:$(node.labels)) SET n = node.properties, n.place = node.place',
      {
        nodes: given(nodes),
      },
    );
    await driver.executeQuery(
      `UNWIND $relationships AS one MATCH (a { place: one.from }), (b { place: one.to })
       CREATE (a)-[r:$(one.type)]->(b) SET r = one.properties`,
      { relationships: given(relationships) },
    );
    await driver.executeQuery('MATCH (n) REMOVE n.place');
  });

/** Puts it into empty engines. */
export const loadEngines = async (kept: KeptEngines): Promise<void> => {
  await loadIndices(kept.indices);
  await loadGraph(kept);
};
