import { readConfig } from '#infra/config.ts';

/** Addresses of the engines of this test run. */
export interface Addresses {
  readonly brokers: readonly string[];
  readonly registry: string;
  readonly elasticsearch: string;
  readonly neo4j: string;
}

/** The addresses that the global setup left in the environment. Throws an Error when one is missing. */
export const addresses = (): Addresses => {
  const { kafka, registry, elasticsearch, neo4j } = readConfig();
  if (kafka.brokers === null || registry.url === null || elasticsearch.url === null || neo4j.url === null)
    throw new Error('No engines: run these tests with npm run test:engines');
  return { brokers: kafka.brokers, registry: registry.url, elasticsearch: elasticsearch.url, neo4j: neo4j.url };
};
