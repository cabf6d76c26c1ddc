import neo4j from 'neo4j-driver';
import { openSource, type Source, VARIABLES } from './source.ts';

/** Jest calls setup and teardown from different files and hands nothing over. */
export const running: { source: Source | null } = { source: null };

/** A server that has just started takes longer for its first queries than a binding may; those of the first file would fail. */
const warmUp = async (url: string): Promise<void> => {
  const driver = neo4j.driver(url);
  for (let n = 0; n < 200; n++)
    await driver.executeQuery(
      `UNWIND range(1, 100) AS n OPTIONAL MATCH (a:Warm { key: n })-[r:LINK]->(b:Warm) WHERE b.key > n RETURN n, count(r), collect(b.key)[..5] // ${n % 20}`,
    );
  await driver.close();
};

export default async (): Promise<void> => {
  // biome-ignore lint/style/noProcessEnv: the environment is how Jest hands something to its workers
  const env = process.env;
  const source = await openSource(env);
  running.source = source;
  process.stderr.write(`Engines: ${source.what}\n`);
  for (const name of VARIABLES) {
    env[name] = source.addresses[name];
    process.stderr.write(`${name}=${source.addresses[name]}\n`);
  }
  if (source.addresses.NEO4J_URL !== undefined) await warmUp(source.addresses.NEO4J_URL);
};
