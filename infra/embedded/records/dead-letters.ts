import type { Entry } from '#domain/pipeline/processor.ts';
import { DEAD_LETTER_KIND, type DeadLetter, LETTER_WAITS_MS } from '#domain/ports/operations.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { RecordTable } from './table.ts';

/** A record that a processor could not handle, and its topic. */
export interface RejectedEntry {
  readonly entry: Entry<unknown>;
  readonly topic: string;
  readonly processor: string;
  readonly reason: string;
  /** 1 when it is absent. */
  readonly attempts?: number;
}

export interface DeadLetterTable {
  /** Stores a dead letter in the current transaction. `id`: a ULID; `at`: ms. */
  add(rejected: RejectedEntry, id: string, at: number): void;
}

export const openDeadLetterTable = (records: Pick<RecordTable, 'put'>): DeadLetterTable => {
  return {
    add({ entry, topic, processor, reason, attempts = 1 }, id, at) {
      const { tenant, position, value: record = null } = entry;
      const letter: DeadLetter = {
        id,
        topic,
        partition: 0,
        offset: position,
        position,
        processor,
        reason,
        attempts,
        at,
        content: { kind: 'json', record },
        settled: null,
      };
      const options = { now: at, expiresAt: at + LETTER_WAITS_MS };
      records.put(tenant || SYSTEM_TENANT, DEAD_LETTER_KIND, id, letter, options);
    },
  };
};
