import type { Config } from '#infra/config.ts';
import { openEmbedded } from '#infra/embedded/open-embedded.ts';
import { type Backend, type BackendOptions, picked, processorChecks, STORES, TOPOLOGY_READERS } from './backend.ts';

/** One file, one process. */
export const openEmbeddedBackend = async (config: Config, options: BackendOptions): Promise<Backend> => {
  const { data } = config;
  const embedded = await openEmbedded({ ...options, data });
  const { operations, runner } = embedded;
  return {
    ports: {
      eventLog: embedded.log,
      ...picked(embedded, ...STORES, ...TOPOLOGY_READERS, 'cis', 'relationships', 'records'),
      ...picked(embedded, 'operations', 'tenants', 'live'),
    },
    databasePath: embedded.path,
    housekeeping: {
      tidyRecords: embedded.tidy,
      // The topology is in the same file, and no other process asks for errors.
      tidyTopology: async () => undefined,
      shareErrors: async () => undefined,
      deleteEvents: embedded.retention.purge,
    },
    async checks() {
      const { state, waiting, lastError } = runner.status;
      return [
        { name: 'pipeline', ok: state === 'running', detail: lastError ?? `${state}, ${waiting} records waiting` },
        ...processorChecks(await operations.pipeline()),
      ];
    },
    sinks: { start: async (ports) => embedded.sinks.start(ports), pause: (pauses) => embedded.sinks.pause(pauses) },
    measure: async () => embedded.measure(),
    async idle() {
      await runner.idle();
      await embedded.sinks.idle();
      await runner.idle();
    },
    close: () => embedded.close(),
  };
};
