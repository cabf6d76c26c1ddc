import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/** Elasticsearch 9.5, Neo4j 2026 and Apicurio 3.3 are built for it; Kafka runs on it too. */
const WANTED = 25;
/** Elasticsearch refuses a runtime without it, so a JRE is not enough. */
const MODULE = 'jdk.incubator.vector';

/** Where to look first. */
export interface JavaPlaces {
  /** By variable: JAVA_HOME_25, JAVA_HOME. */
  readonly homes: Readonly<Record<string, string | undefined>>;
  /** The PATH of programs. */
  readonly path: string;
}

export interface JavaHome {
  readonly path: string;
  /** Where it was found, for people. */
  readonly from: string;
}

const folders = (parent: string, below = ''): JavaHome[] =>
  existsSync(parent)
    ? readdirSync(parent).map((name) => ({ path: join(parent, name, below), from: join(parent, name) }))
    : [];

const onPath = (path: string): JavaHome[] =>
  path
    .split(delimiter)
    .map((folder) => join(folder, 'java'))
    .filter((file) => existsSync(file))
    .slice(0, 1)
    .map((file) => ({ path: dirname(dirname(realpathSync(file))), from: `java on PATH (${file})` }));

/** The usual folders of JDKs: Debian and Red Hat, containers, SDKMAN, IDEs, macOS. */
const installed = (): JavaHome[] => [
  ...folders('/usr/lib/jvm'),
  ...folders('/opt/java'),
  ...folders('/opt/jdk'),
  ...folders(join(homedir(), '.sdkman/candidates/java')),
  ...folders(join(homedir(), '.jdks')),
  ...folders('/Library/Java/JavaVirtualMachines', 'Contents/Home'),
  { path: '/opt/homebrew/opt/openjdk/libexec/openjdk.jdk/Contents/Home', from: 'Homebrew' },
];

export const javaHomes = ({ homes, path }: JavaPlaces): JavaHome[] => [
  ...Object.entries(homes).flatMap(([from, home]) => (home ? [{ path: home, from }] : [])),
  ...onPath(path),
  ...installed(),
];

/** Major version and completeness as the JDK's `release` file tells; null when there is no JDK. */
const readRelease = (home: string): { readonly version: number; readonly complete: boolean } | null => {
  const file = join(home, 'release');
  if (!existsSync(file) || !existsSync(join(home, 'bin', 'java'))) return null;
  const text = readFileSync(file, 'utf8');
  const version = Number(/^JAVA_VERSION="(\d+)/m.exec(text)?.[1] ?? Number.NaN);
  return { version, complete: (/^MODULES="(.*)"$/m.exec(text)?.[1] ?? MODULE).includes(MODULE) };
};

/** The home of the first JDK of version 25 or newer. Throws an Error that says what was found and what to do. */
export const findJava = (homes: readonly JavaHome[]): string => {
  const seen: string[] = [];
  for (const { path, from } of homes) {
    const release = readRelease(path);
    if (release !== null && release.version >= WANTED && release.complete) return realpathSync(path);
    seen.push(
      `  ${from}: ${release === null ? 'no JDK' : `Java ${release.version}${release.complete ? '' : ', not a full JDK'}`}`,
    );
  }
  throw new Error(
    `A JDK ${WANTED} is needed to run the engines (a JRE is not enough). Install one, for example Eclipse Temurin ${WANTED}, or set JAVA_HOME_${WANTED} to its folder. Looked at:\n${seen.join('\n') || '  no folder of a JDK exists'}`,
  );
};
