import { readEnginesConfig } from '#infra/config.ts';
import { startEngines } from '#tools/engines/start-engines.ts';
import { startContainers } from './containers.ts';

/** Variables with the addresses of the engines. */
export const VARIABLES = ['KAFKA_BROKERS', 'SCHEMA_REGISTRY_URL', 'ELASTICSEARCH_URL', 'NEO4J_URL'] as const;
export type Environment = Readonly<Record<string, string | undefined>>;

/** Engines that run, and how to be rid of them. */
export interface Source {
  readonly what: string;
  readonly addresses: Environment;
  stop(): Promise<void>;
}

type Open = () => Promise<Source>;

const LOCAL = /^(\w+:\/\/)?(127\.0\.0\.1|localhost|\[::1\])[:/]/;
const isLocal = (addresses: string): boolean => addresses.split(',').every((one) => LOCAL.test(`${one.trim()}/`));

/** The addresses of the environment: all four or none; null when none is set. */
export const given = (env: Environment): Source | null => {
  const missing = VARIABLES.filter((name) => !env[name]);
  if (missing.length === VARIABLES.length) return null;
  if (missing.length > 0) throw new Error(`Addresses of engines are set, but not ${missing.join(', ')}.`);
  const remote = VARIABLES.filter((name) => !isLocal(env[name]!));
  if (remote.length > 0)
    throw new Error(`These tests delete what the engines hold, and ${remote.join(', ')} leads to another machine.`);
  return { what: 'addresses of the environment', addresses: env, stop: async () => undefined };
};

const progress = (line: string): void => void process.stderr.write(`${line}\n`);

const maven: Open = async () => {
  const engines = await startEngines({ ...readEnginesConfig(), progress });
  return { what: 'engines from Maven', addresses: engines.addresses, stop: () => engines.stop() };
};

const containers: Open = async () => {
  const { addresses, stop } = await startContainers(progress);
  return { what: 'containers', addresses, stop };
};

/** The first that works. Throws an Error with the reason of each when none does: without engines these tests prove nothing. */
export const firstSource = async (opens: Readonly<Record<string, Open>>): Promise<Source> => {
  const reasons: string[] = [];
  for (const [name, open] of Object.entries(opens)) {
    try {
      return await open();
    } catch (error) {
      reasons.push(`${name}: ${(error as Error).message}`);
    }
  }
  throw new Error(`There are no engines to test with. See docs/deploy.md.\n${reasons.join('\n')}`);
};

export const openSource = async (env: Environment): Promise<Source> =>
  given(env) ?? firstSource({ Maven: maven, Docker: containers });
