import type { Config } from '#infra/config.ts';
import { openEmbedded } from '#infra/embedded/open-embedded.ts';
import { type Backend, type BackendOptions, processorChecks } from './backend.ts';

const portsOf = (embedded: Awaited<ReturnType<typeof openEmbedded>>): Backend['ports'] => {
  const { log: eventLog, events, sweeps, eventCounts, eventHistory, eventAggregates, eventSummaries } = embedded;
  const { correlation, correlationHistory, groupRows } = embedded;
  const { cis, relationships, topology, estate, graph, matcher, counts, history } = embedded;
  const { records, searchIndex, operations, tenants, live } = embedded;
  return {
    eventLog,
    events,
    sweeps,
    eventCounts,
    eventHistory,
    eventAggregates,
    eventSummaries,
    correlation,
    correlationHistory,
    groupRows,
    cis,
    relationships,
    topology,
    estate,
    graph,
    matcher,
    counts,
    history,
    records,
    searchIndex,
    operations,
    tenants,
    live,
  };
};

/** One file, one process. */
export const openEmbeddedBackend = async (config: Config, options: BackendOptions): Promise<Backend> => {
  const { data } = config;
  const embedded = await openEmbedded({ ...options, data });
  const { operations, runner } = embedded;
  return {
    ports: portsOf(embedded),
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
    sinks: {
      start: async (ports) => embedded.sinks.start(ports),
      pause: (pauses) => embedded.sinks.pause(pauses),
    },
    measure: async () => embedded.measure(),
    async idle() {
      await runner.idle();
      await embedded.sinks.idle();
      await runner.idle();
    },
    close: () => embedded.close(),
  };
};
