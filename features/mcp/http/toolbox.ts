import type { z } from 'zod';
import type { Context } from '#api/surfaces/endpoint.ts';
import type { AnyTool } from '#api/surfaces/tool.ts';
import type { Permission } from '#domain/access/permissions.ts';
import type { Log } from '#domain/ports/log.ts';
import { toolContext } from './ask.ts';

/** A tool as it is listed and called. */
export interface McpTool extends Pick<AnyTool, 'name' | 'title' | 'description' | 'isWriting' | 'tell'> {
  readonly permission: Permission | null;
  readonly input: z.ZodType;
  readonly output: z.ZodType<Readonly<Record<string, unknown>>>;
  // biome-ignore lint/suspicious/noExplicitAny: each tool reads what its own schema has checked.
  readonly run: (context: Context, input: any) => Promise<unknown>;
}

/** A tool that calls an endpoint: its permission, limits and audit apply. */
export const endpointTool = (tool: AnyTool): McpTool => ({
  ...tool,
  run: async (context, input) => tool.run(await toolContext(tool.endpoint, context), input),
});

/** All tools of the product, in listing order. */
export interface Toolbox {
  readonly tools: readonly McpTool[];
  readonly log: Log;
}

declare module '#domain/ports/ports.ts' {
  interface Ports {
    readonly toolbox: Toolbox;
  }
}
