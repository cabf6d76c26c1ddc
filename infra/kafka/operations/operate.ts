import type { Clock } from '#domain/ports/clock.ts';
import type { Operations } from '#domain/ports/operations.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import { type Measured, openMeasure } from './measure.ts';
import { type OperationsOptions, openOperations } from './operations.ts';
import { openSharedErrors } from './shared-errors.ts';

export interface OperatingOptions extends Omit<OperationsOptions, 'errors'>, Omit<Measured, 'operations'> {
  readonly records: RecordStore;
  /** Names this start of the process. */
  readonly process: string;
  readonly clock: Clock;
}

/** Operator view of the pipeline; publishes this process's errors to the others. */
export const openOperating = (options: OperatingOptions) => {
  const { records, process, clock, consumers } = options;
  const errors = openSharedErrors(records, process, clock);
  const operations = openOperations({ ...options, errors });
  return {
    operations: operations satisfies Operations,
    measure: openMeasure({ ...options, operations }),
    /** To be called every few seconds. */
    shareErrors: () => errors.tell(consumers.map((consumer) => consumer.status)),
  };
};
