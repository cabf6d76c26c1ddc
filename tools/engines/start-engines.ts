import { join } from 'node:path';
import { entryOf, itemAt } from '#domain/assert.ts';
import { elasticsearch } from './elasticsearch.ts';
import type { EngineName, EngineSetup, Recipe } from './engine.ts';
import { fetchArtifact } from './fetch-artifact.ts';
import { openCache, openData, prepare, reachable } from './folders.ts';
import { findJava, type JavaPlaces, javaHomes } from './java.ts';
import { kafka } from './kafka.ts';
import { neo4j } from './neo4j.ts';
import { freePorts, requireFree } from './ports.ts';
import { registry } from './registry.ts';
import { type RunningEngine, runningEngine } from './running-engine.ts';

const RECIPES: readonly Recipe[] = [kafka, registry, elasticsearch, neo4j];
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
  /** Called when an engine ends though nobody asked it to, once all have been ready. */
  readonly died?: (name: EngineName, how: string) => void;
  /** Ends a start that is under way; everything that runs is stopped. */
  readonly signal?: AbortSignal;
}

export interface Engines {
  /** KAFKA_BROKERS, SCHEMA_REGISTRY_URL, ELASTICSEARCH_URL, NEO4J_URL. */
  readonly addresses: Readonly<Record<string, string>>;
  readonly data: string;
  readonly engine: Readonly<Record<EngineName, RunningEngine>>;
  /** SIGKILL to one engine. */
  kill(name: EngineName): Promise<void>;
  /** Brings an engine back on the same data and ports; resolves when clients can work with it. */
  start(name: EngineName): Promise<void>;
  /** Stops all and removes temporary data. */
  stop(): Promise<void>;
}

type Progress = (line: string) => void;

const fetchAll = async (cache: string, signal: AbortSignal, progress: Progress): Promise<Map<Recipe, string>> => {
  const programs = new Map<Recipe, string>();
  for (const recipe of RECIPES) programs.set(recipe, await fetchArtifact(recipe, cache, signal, progress));
  return programs;
};

/** The places of all engines, with their ports in a row. */
const placesOf = (
  programs: ReadonlyMap<Recipe, string>,
  data: string,
  java: string,
  portBase: number,
): EngineSetup[] => {
  let port = portBase;
  return RECIPES.map((recipe) => ({
    program: entryOf(programs, recipe),
    data: join(data, recipe.name),
    java,
    ports: Array.from({ length: recipe.portCount }, () => port++),
  }));
};

const startTold = async ({ title, version }: Recipe, engine: RunningEngine, progress: Progress): Promise<void> => {
  const since = performance.now();
  await engine.start();
  const seconds = ((performance.now() - since) / 1_000).toFixed(1);
  progress(`${title} ${version}: ready after ${seconds} s at ${engine.address} (pid ${engine.pid})`);
};

/**
 * Starts the four engines one after another: together they would starve each other on a small machine. When one fails,
 * those that run are stopped. Throws an Error that says what is missing or how the engine failed.
 */
export const startEngines = async (options: EngineOptions): Promise<Engines> => {
  const progress = options.progress ?? (() => undefined);
  const failed = new AbortController();
  const signal = AbortSignal.any([failed.signal, ...(options.signal === undefined ? [] : [options.signal])]);
  const java = reachable(findJava(javaHomes(options.java)), 'The JDK');
  const cache = openCache(options.cache, options.userCache);
  progress(`JDK: ${java}`);
  const programs = await fetchAll(cache, signal, progress);
  const portBase =
    options.portBase == null
      ? await freePorts(PORT_COUNT, process.pid)
      : await requireFree(options.portBase, PORT_COUNT);

  const data = openData(options.data ?? null, options.keep ?? false);
  const places = placesOf(programs, data.path, java, portBase);
  const running = new Map<EngineName, RunningEngine>();
  let complete = false;
  const died = ({ name, title }: Recipe, how: string): void => {
    if (complete) options.died?.(name, how);
    else failed.abort(new Error(`${title} ended with ${how} while the others were starting`));
  };
  const stop = async (): Promise<void> => {
    await Promise.all([...running.values()].map((engine) => engine.stop()));
    data.close();
  };

  try {
    for (const [index, recipe] of RECIPES.entries()) {
      signal.throwIfAborted();
      const place = itemAt(places, index);
      const owner = await prepare(recipe, place);
      const engine = runningEngine(recipe, { place, owner, signal, died: (how) => died(recipe, how) });
      running.set(recipe.name, engine);
      await startTold(recipe, engine, progress);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  complete = true;
  const engine = Object.fromEntries(running) as Record<EngineName, RunningEngine>;
  return {
    addresses: Object.fromEntries(RECIPES.map(({ name, variable }) => [variable, engine[name].address])),
    data: data.path,
    engine,
    kill: (name) => engine[name].kill(),
    start: (name) => engine[name].start(),
    stop,
  };
};
