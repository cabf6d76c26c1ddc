import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Sink } from '#domain/ports/sink.ts';
import { openClient } from '#infra/kafka/client/client.ts';
import { deleteTopics } from '#test/setup/delete-topics.ts';
import type { Engines } from '#tools/engines/start-engines.ts';
import { TOKEN } from './client.ts';
import { type Gate, openGate } from './gate.ts';
import { type Member, openMember } from './member.ts';

export const PARTITIONS = 4;
const APIS = 2;
export const WORKERS = 2;

/** The engines, and the processes of Faultline that run on them. */
export interface Cluster {
  readonly engines: Engines;
  readonly apis: readonly Member[];
  /** Expected workers; faults add and remove. */
  readonly workers: Member[];
  readonly neo4j: Gate;
  readonly brokers: readonly string[];
  /** The folder of the program that processes are started with from now on. */
  readonly program: { folder: string };
  /** Starts one more worker and adds it. */
  addWorker(processors?: readonly string[]): Promise<Member>;
  /** Applies to all, also to later workers. */
  refuseElasticsearch(refused: boolean): void;
  stop(): Promise<void>;
}

export const brokersOf = ({ addresses }: Engines): string[] => addresses.KAFKA_BROKERS!.split(',');

/** A log without any records and without readers: leftovers of the previous run would be read again. */
export const emptyLog = async (engines: Engines): Promise<void> => {
  const client = openClient({ brokers: brokersOf(engines), clientId: 'chaos' });
  const admin = client.kafka.admin();
  await admin.connect();
  await deleteTopics(admin);
  await admin.disconnect();
  client.end();
};

const environment = ({ addresses }: Engines, neo4j: Gate, logs: string) => ({
  ...addresses,
  PATH: '',
  // Halves the time of a start.
  NODE_COMPILE_CACHE: join(logs, 'compiled'),
  PORT: '0',
  NEO4J_URL: `bolt://127.0.0.1:${neo4j.port}`,
  FAULTLINE_MODE: 'distributed',
  FAULTLINE_PARTITIONS: String(PARTITIONS),
  FAULTLINE_BOOTSTRAP_TOKEN: TOKEN,
  FAULTLINE_ADMIN_PASSWORD: 'a password for this run',
  FAULTLINE_LIMIT_SCALE: '0',
  FAULTLINE_LOG_LEVEL: 'info',
});

/** Tenants of one run: different ones in each, so that stored data of earlier runs does not count. */
export const tenantsOf = (run: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${run}-t${n}`);

/** The processors that the program of a folder has. */
export const processorsOf = async (folder: string): Promise<readonly string[]> => {
  const load = (path: string) => import(pathToFileURL(join(folder, path)).href);
  const [{ pipeline }, { sinks }] = await Promise.all([load('processors/pipeline.ts'), load('whole.ts')]);
  return [...pipeline, ...sinks].map(({ name }: Pick<Sink, 'name'>) => name);
};

/** Stops what was started before a failure, which would keep this process and take the next seed's share of the machine. */
const endWith =
  (stop: () => Promise<void>) =>
  async (error: unknown): Promise<never> => {
    await stop();
    throw error;
  };

/** All processes run when it resolves; one API process is first and creates the prerequisites. */
export const openCluster = async (engines: Engines, logs: string, folder: string): Promise<Cluster> => {
  mkdirSync(logs, { recursive: true });
  const bolt = new URL(engines.addresses.NEO4J_URL!);
  const neo4j = await openGate(bolt.hostname, Number(bolt.port));
  const env = environment(engines, neo4j, logs);
  const elasticsearchUrl = engines.addresses.ELASTICSEARCH_URL!;
  const members: Member[] = [];
  const program = { folder };
  let refused = false;
  const open = async (role: 'api' | 'worker', number: number, processors?: readonly string[]): Promise<Member> => {
    const name = `${role}-${number}`;
    const given = processors === undefined ? {} : { processors };
    const member = await openMember({ name, role, elasticsearchUrl, env, logs, folder: program.folder, ...given });
    if (refused) member.elasticsearch.refuse();
    members.push(member);
    return member;
  };
  let numbered = 0;
  const workers: Member[] = [];
  const addWorker = async (processors?: readonly string[]): Promise<Member> => {
    const worker = await open('worker', ++numbered, processors);
    await worker.start();
    workers.push(worker);
    return worker;
  };

  const apis = [];
  for (let number = 1; number <= APIS; number++) apis.push(await open('api', number));
  const stop = async (): Promise<void> => {
    await Promise.all(members.map((member) => member.stop()));
    await Promise.all([neo4j, ...members.map(({ elasticsearch }) => elasticsearch)].map((gate) => gate.close()));
  };
  await apis[0]!.start().catch(endWith(stop));
  const rest = [...apis.slice(1).map((api) => api.start()), ...Array.from({ length: WORKERS }, () => addWorker())];
  await Promise.allSettled(rest);
  await Promise.all(rest).catch(endWith(stop));
  return {
    engines,
    apis,
    workers,
    neo4j,
    addWorker,
    program,
    brokers: brokersOf(engines),
    refuseElasticsearch(now) {
      refused = now;
      for (const { elasticsearch } of members) now ? elasticsearch.refuse() : elasticsearch.open();
    },
    stop,
  };
};
