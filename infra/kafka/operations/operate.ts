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

/** Between two publications of this process's errors. */
const TELL_MS = 5_000;

/** Operator view of the pipeline; publishes this process's errors to the others. */
export const openOperating = (options: OperatingOptions) => {
  const { records, process, clock, consumers } = options;
  const errors = openSharedErrors(records, process, clock);
  const tell = (): void => {
    // Told again in a moment.
    errors.tell(consumers.map((consumer) => consumer.status)).catch(() => undefined);
  };
  const telling = setInterval(tell, TELL_MS).unref();
  const operations = openOperations({ ...options, errors });
  return {
    operations: operations satisfies Operations,
    measure: openMeasure({ ...options, operations }),
    close: () => clearInterval(telling),
  };
};
