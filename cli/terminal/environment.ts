import type { Config } from '#infra/config.ts';
import type { Screen } from './screen.ts';

/** A server that runs in this process. */
interface StartedServer {
  readonly url: string;
  /** Set when the password of user `admin` was generated at this start. */
  readonly adminPassword: string | null;
  /** Collects the garbage of the start. */
  tidy(): void;
  stop(): Promise<void>;
}

/** The `start` of app.ts, which only entries import. */
export type StartServer = (
  config: Config,
  options?: { readonly pretty?: boolean; readonly tellPassword?: (password: string, link: string | null) => void },
) => Promise<StartedServer>;

/** A server of a command's own. */
export interface OwnServer {
  readonly url: string;
  /** Token of a platform administrator. */
  readonly token: string;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
}

/** A backup of embedded mode that was read whole. */
export interface StoredBackup {
  readonly bytes: number;
  readonly events: number;
}

/** The outside world of the commands; tests pass their own. */
export interface CliEnvironment {
  readonly screen: Screen;
  /** The clock of a server, epoch ms. */
  timeAt(url: string): Promise<number>;
  serve(): Promise<void>;
  /** Prepares the configured store for rebuilding groups; resolves with the number of partitions to read. */
  rebuildGroups(): Promise<number>;
  /** Writes the data of the configured directory to a new file. */
  backUp(output: string): Promise<StoredBackup>;
  /** Puts a backup into the configured directory. */
  restore(file: string, overwrites: boolean): Promise<StoredBackup>;
  openOwnServer(port: number): Promise<OwnServer>;
  /** Runs until the process receives a stop signal, then calls `stop`. */
  stayUntilStopped(stop: () => Promise<void>): void;
}
