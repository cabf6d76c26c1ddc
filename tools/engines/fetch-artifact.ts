import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Artifact, Recipe } from './engine.ts';
import { lastLines } from './run.ts';

const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';
const NO_MAVEN =
  'Maven (mvn, 3.6 or newer) is needed to fetch the engines, and it is not on PATH. Install it, or set the addresses of engines that run elsewhere.';

const dependency = (coordinates: string): string => {
  const [group, artifact, version] = coordinates.split(':');
  return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
};

const project = (coordinates: readonly string[]): string =>
  `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>local.engines</groupId><artifactId>runtime</artifactId><version>1</version><packaging>pom</packaging>
<dependencies>${coordinates.map(dependency).join('')}</dependencies></project>\n`;

/** Goal and options that put the artifact into `target`; Maven writes markers into the current folder. */
const goal = async (artifact: Artifact, folder: string, target: string): Promise<string[]> => {
  if (artifact.kind === 'archive')
    return [`${PLUGIN}:unpack`, `-Dartifact=${artifact.coordinates}`, `-DoutputDirectory=${target}`];
  await writeFile(join(folder, 'pom.xml'), project(artifact.coordinates));
  return [`${PLUGIN}:copy-dependencies`, '-DincludeScope=runtime', `-DoutputDirectory=${join(target, 'lib')}`];
};

/** Runs Maven in a folder, with the caller's settings and proxies. */
const maven = (folder: string, args: readonly string[], signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn('mvn', ['-q', '-B', '-ntp', '-U', ...args], { cwd: folder, signal });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part));
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? new Error(NO_MAVEN) : error),
    );
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`mvn ${args.join(' ')} failed with code ${code}:\n${lastLines(output)}`));
    });
  });

/** Another process may have fetched the same in the meantime; then its copy counts. */
const moveInto = async (from: string, to: string): Promise<void> => {
  try {
    await rename(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
  }
};

/**
 * The folder of an engine's program in the cache, fetched with Maven if it is not there. What is in the cache is complete:
 * it is put together beside it and renamed. Throws an Error that says what is missing.
 */
export const fetchArtifact = async (
  recipe: Recipe,
  cache: string,
  signal: AbortSignal,
  progress: (line: string) => void,
): Promise<string> => {
  const place = join(cache, `${recipe.name}-${recipe.version}`);
  if (existsSync(place)) return place;
  progress(`${recipe.title} ${recipe.version}: fetching with Maven into ${place}`);
  const work = await mkdtemp(join(cache, 'fetching-'));
  try {
    const target = join(work, 'program');
    await maven(work, await goal(recipe.artifact, work, target), signal);
    await chmod(target, 0o755);
    await moveInto(target, place);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return place;
};
