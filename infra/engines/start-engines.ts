import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { elasticsearch } from './elasticsearch.ts';
import { type EngineName, javaOf, type Place, type Recipe } from './engine.ts';
import { fetchArtifact } from './fetch-artifact.ts';
import { findJava, type JavaPlaces } from './java.ts';
import { kafka } from './kafka.ts';
import { neo4j } from './neo4j.ts';
import { giveTo, requireReachable, unprivileged } from './owner.ts';
import { freePorts, requireFree } from './ports.ts';
import { registry } from './registry.ts';
import { type RunningEngine, runningEngine } from './running-engine.ts';

const RECIPES: readonly Recipe[] = [kafka, registry, neo4j, elasticsearch];
const PORT_COUNT = RECIPES.reduce((sum, { portCount }) => sum + portCount, 0);

export interface EngineOptions {
  readonly java: JavaPlaces;
  /** Folder of downloads; null = a folder of ours below the user's caches. */
  readonly cache: string | null;
  /** The user's folder of caches; null = `.cache` in the home folder. */
  readonly userCache: string | null;
  /** Folder of the data, kept; null = a temporary one. */
  readonly data?: string | null;
  /** Keep a temporary folder too. */
  readonly keep?: boolean;
  /** The first of seven ports in a row; null = free ones. */
  readonly portBase?: number | null;
  readonly progress?: (line: string) => void;
  /** Called when an engine ends though nobody asked it to. */
  readonly died?: (name: EngineName, how: string) => void;
  /** Ends a start that is under way; everything that runs is stopped. */
  readonly signal?: AbortSignal;
}

export interface Engines {
  /** KAFKA_BROKERS, SCHEMA_REGISTRY_URL, NEO4J_URL, ELASTICSEARCH_URL. */
  readonly addresses: Readonly<Record<string, string>>;
  readonly data: string;
  readonly engine: Readonly<Record<EngineName, RunningEngine>>;
  /** SIGKILL to one engine; `start(name)` brings it back on the same data and ports. */
  kill(name: EngineName): Promise<void>;
  start(name: EngineName): Promise<void>;
  /** Stops all and removes temporary data. */
  stop(): Promise<void>;
}

/** Root's home is closed to the user that Elasticsearch then runs as, so root's cache is the machine's. */
const defaultCache = (userCache: string | null): string =>
  unprivileged() === null
    ? join(userCache ?? join(homedir(), '.cache'), 'faultline', 'engines')
    : '/var/cache/faultline/engines';

const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-engines-'));
  chmodSync(folder, 0o755);
  return folder;
};

/** Sets up the folder of one engine and hands it to whom it runs as. */
const prepare = async (recipe: Recipe, place: Place, owner: number | null): Promise<void> => {
  mkdirSync(place.data, { recursive: true });
  await recipe.configure(place);
  if (owner === null) return;
  requireReachable(dirname(place.data), 'The folder of the data');
  requireReachable(place.program, 'The cache of the engines');
  requireReachable(dirname(javaOf(place)), 'The JDK');
  giveTo(place.data, owner);
};

const seconds = (since: number): string => `${((performance.now() - since) / 1_000).toFixed(1)} s`;

/**
 * Starts the four engines one after another: together they would starve each other on a small machine. When one fails,
 * those that run are stopped. Throws an Error that says what is missing or how the engine failed.
 */
export const startEngines = async (options: EngineOptions): Promise<Engines> => {
  const progress = options.progress ?? (() => undefined);
  const signal = options.signal ?? new AbortController().signal;
  const java = findJava(options.java);
  progress(`JDK: ${java}`);
  const cache = resolve(options.cache ?? defaultCache(options.userCache));
  const programs = new Map<Recipe, string>();
  for (const recipe of RECIPES) programs.set(recipe, await fetchArtifact(recipe, cache, signal, progress));

  let port =
    options.portBase == null
      ? await freePorts(PORT_COUNT, process.pid)
      : await requireFree(options.portBase, PORT_COUNT);
  const data = options.data == null ? temporaryFolder() : resolve(options.data);
  const running = new Map<EngineName, RunningEngine>();
  const stop = async (): Promise<void> => {
    await Promise.all([...running.values()].map((engine) => engine.stop()));
    if (options.data == null && options.keep !== true) rmSync(data, { recursive: true, force: true });
  };

  const boot = async (recipe: Recipe, ports: readonly number[]): Promise<void> => {
    const since = performance.now();
    signal.throwIfAborted();
    const place: Place = { program: programs.get(recipe)!, data: join(data, recipe.name), java, ports };
    const owner = recipe.refusesRoot ? unprivileged() : null;
    await prepare(recipe, place, owner);
    const died = (how: string): void => options.died?.(recipe.name, how);
    const engine = runningEngine(recipe, { place, owner, signal, died });
    running.set(recipe.name, engine);
    await engine.start();
    progress(
      `${recipe.title} ${recipe.version}: ready after ${seconds(since)} at ${engine.address} (pid ${engine.pid})`,
    );
  };

  try {
    for (const recipe of RECIPES) {
      await boot(
        recipe,
        Array.from({ length: recipe.portCount }, (_, index) => port + index),
      );
      port += recipe.portCount;
    }
  } catch (error) {
    await stop();
    throw error;
  }
  const engine = Object.fromEntries(running) as Record<EngineName, RunningEngine>;
  return {
    addresses: Object.fromEntries(RECIPES.map(({ name, variable }) => [variable, engine[name].address])),
    data,
    engine,
    kill: (name) => engine[name].kill(),
    start: (name) => engine[name].start(),
    stop,
  };
};
