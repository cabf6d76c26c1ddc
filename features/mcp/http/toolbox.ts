import type { AnyTool } from '#api/surfaces/tool.ts';
import type { Log } from '#domain/ports/log.ts';

/** All tools of the product, in listing order. */
export interface Toolbox {
  readonly tools: readonly AnyTool[];
  readonly log: Log;
}

declare module '#domain/ports/ports.ts' {
  interface Ports {
    readonly toolbox: Toolbox;
  }
}
