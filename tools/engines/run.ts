import { spawn } from 'node:child_process';
import type { Command } from './engine.ts';

/** Lines of output that an error repeats. */
const SHOWN_LINES = 20;

export const lastLines = (text: string): string => text.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');

/** The environment of every engine: without the caller's, of which they would read names like QUARKUS_… . */
export const baseVariables = (home: string): Record<string, string> => ({
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: home,
  LANG: 'C.UTF-8',
});

/** Runs a short program to its end. Throws an Error with the end of its output when it fails. */
export const run = ({ program, args, folder, variables }: Command): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, env: { ...baseVariables(folder), ...variables } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} ended with ${signal ?? `code ${code}`}:\n${lastLines(output)}`));
    });
  });
