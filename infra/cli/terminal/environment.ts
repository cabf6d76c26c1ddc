import type { DemoServer } from '#infra/cli/demo/demo-server.ts';
import type { Screen } from './screen.ts';

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
