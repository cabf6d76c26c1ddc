export const ENGINE_NAMES = ['kafka', 'registry', 'elasticsearch', 'neo4j'] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

/** Requests to Maven: jars with all that they depend on, or one archive to unpack. */
export type Artifact =
  | { readonly kind: 'jars'; readonly coordinates: readonly string[] }
  | { readonly kind: 'archive'; readonly coordinates: string };

/** Where one engine runs. */
export interface EngineSetup {
  /** The unpacked program, in the cache; never written to. */
  readonly program: string;
  /** Absolute folder of configuration, data and log, kept over restarts. */
  readonly data: string;
  /** Home of a JDK 25. */
  readonly java: string;
  /** Free ports on 127.0.0.1; the first one is the client's. */
  readonly ports: readonly number[];
}

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** How one engine is fetched, set up, started and found ready; running it is the same for all. */
export interface Recipe {
  readonly name: EngineName;
  readonly title: string;
  readonly version: string;
  /** The environment variable that takes its address. */
  readonly variable: string;
  readonly artifact: Artifact;
  /** How many ports it listens on. */
  readonly portCount: number;
  /** True when the engine refuses to run as root. */
  readonly refusesRoot: boolean;
  address(place: EngineSetup): string;
  /** Writes the configuration; on a folder that was used before it keeps the data. */
  configure(place: EngineSetup): Promise<void>;
  command(place: EngineSetup): Command;
  /** Whether clients can work with it now; `printed` is its output since this start. */
  isReady(place: EngineSetup, printed: string): Promise<boolean>;
}

/** The `java` of a JDK. */
export const javaOf = (place: EngineSetup): string => `${place.java}/bin/java`;

/** Lines of a properties file. */
export const propertyLines = (properties: Readonly<Record<string, string | number | boolean>>): string =>
  Object.entries(properties)
    .map(([key, value]) => `${key}=${value}\n`)
    .join('');
