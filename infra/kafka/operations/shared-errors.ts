import type { Clock } from '#domain/ports/clock.ts';
import { type RecordStore, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { ConsumerStatus } from '#infra/kafka/consumer/consumer.ts';

/** The error that stops a processor in some process. */
interface SharedError {
  readonly processor: string;
  readonly process: string;
  readonly message: string;
  /** ms. */
  readonly at: number;
}

/** Errors of processors, readable in every process: the process that answers need not run the processor. */
export interface SharedErrors {
  /** Stores current errors of this process, and removes ended ones. */
  tell(statuses: readonly ConsumerStatus[]): Promise<void>;
  /** The newest error of each processor. */
  newest(): Promise<ReadonlyMap<string, SharedError>>;
}

const KIND = 'processor-error';
/** An error whose process is gone is forgotten after a minute; a live process repeats it meanwhile. */
const KEPT_MS = 60_000;
const MOST = 1_000;

export const openSharedErrors = (records: RecordStore, process: string, clock: Clock): SharedErrors => {
  const told = new Set<string>();
  return {
    async tell(statuses) {
      for (const { name: processor, lastError: message, failedAt } of statuses) {
        const id = `${processor}@${process}`;
        if (message !== null) {
          const error: SharedError = { processor, process, message, at: failedAt ?? clock.now() };
          await records.put(SYSTEM_TENANT, KIND, id, error, { expiresAt: clock.now() + KEPT_MS });
          told.add(id);
        } else if (told.has(id)) {
          await records.remove(SYSTEM_TENANT, KIND, id);
          told.delete(id);
        }
      }
    },
    async newest() {
      const stored = await records.list<SharedError>(SYSTEM_TENANT, KIND, { limit: MOST });
      const sorted = stored.map(({ body }) => body).sort((a, b) => a.at - b.at);
      return new Map(sorted.map((error) => [error.processor, error]));
    },
  };
};
