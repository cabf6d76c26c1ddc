import type { Backend, BackendOptions } from './backend.ts';
import type { Config } from './config.ts';
import { openEmbedded } from './embedded/open-embedded.ts';

/** One file, one process. */
export const openEmbeddedBackend = async (config: Config, options: BackendOptions): Promise<Backend> => {
  const { data, retentionDays } = config;
  const embedded = await openEmbedded({ ...options, data, retentionDays });
  const { log, events, correlation, topology, records, runner } = embedded;
  return {
    ports: { log, events, correlation, topology, records },
    async checks() {
      const { state, waiting, lastError } = runner.status;
      return [
        { name: 'pipeline', ok: state === 'running', detail: lastError ?? `${state}, ${waiting} records waiting` },
      ];
    },
    measure: async () => embedded.measure(),
    idle: () => runner.idle(),
    close: () => embedded.close(),
  };
};
