import { openSource, type Source, VARIABLES } from './source.ts';

/** Jest calls setup and teardown from different files and hands nothing over. */
export const running: { source: Source | null } = { source: null };

export default async (): Promise<void> => {
  // biome-ignore lint/style/noProcessEnv: the environment is how Jest hands something to its workers
  const env = process.env;
  const source = await openSource(env);
  running.source = source;
  process.stderr.write(`Engines: ${source.what}\n`);
  for (const name of VARIABLES) {
    env[name] = source.addresses[name];
    process.stderr.write(`${name}=${source.addresses[name]}\n`);
  }
};
