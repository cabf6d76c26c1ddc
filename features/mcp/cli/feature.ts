import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { type ConnectionOptions, clientOf, connected } from '#cli/client/connection.ts';
import type { CliFeature } from '#cli/commands/feature.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import { openBridge } from './bridge.ts';

/** Maximum number of concurrent messages. */
const MAX_WAITING = 20;
/** Exceeds the server's own time limit for a message. */
const TIMEOUT_MS = 60_000;

const addMcp = (program: Command, { screen }: CliEnvironment): Command =>
  connected(program.command('mcp'))
    .description('connect an MCP client to the server, over standard input and output')
    .action(async (options: ConnectionOptions) => {
      const answer = openBridge(clientOf(options, TIMEOUT_MS));
      const waiting = new Set<Promise<void>>();
      for await (const line of createInterface({ input: process.stdin })) {
        if (line.trim() === '') continue;
        const answering = answer(line).then((reply) => {
          if (reply !== null) screen.print(reply);
          waiting.delete(answering);
        });
        waiting.add(answering);
        if (waiting.size >= MAX_WAITING) await Promise.race(waiting);
      }
      await Promise.all(waiting);
    });

export const mcp: CliFeature = { id: 'mcp', commands: [{ place: 107, add: addMcp }] };
