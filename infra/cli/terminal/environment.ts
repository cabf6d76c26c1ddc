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
  options?: { readonly pretty?: boolean; readonly tellPassword?: (password: string) => void },
) => Promise<StartedServer>;

/** A server of the demo's own. */
export interface DemoServer {
  readonly url: string;
  /** Of a platform administrator. */
  readonly token: string;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
}

/** What the commands need of the outside; a test brings its own. */
export interface World {
  readonly screen: Screen;
  /** What time it is at a server, epoch ms. */
  timeAt(url: string): Promise<number>;
  serve(): Promise<void>;
  /** Prepares the store of the environment for groups to be made again; resolves with the number of partitions to be read. */
  rebuildGroups(): Promise<number>;
  openDemoServer(port: number): Promise<DemoServer>;
  /** Keeps the process until it is told to stop, then calls `stop`. */
  stayUntilStopped(stop: () => Promise<void>): void;
}
