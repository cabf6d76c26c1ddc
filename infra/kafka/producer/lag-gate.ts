import { Fault } from '#domain/fault.ts';
import type { Operations } from '#domain/ports/operations.ts';

export interface LagGateOptions {
  /** Asked every few seconds, and only when there is a limit. */
  readonly pipeline: Operations['pipeline'];
  /** Processor whose lag counts. */
  readonly processor: string;
  /** Maximum waiting time of its oldest record, ms; 0: no limit. */
  readonly limitMs: number;
}

/** Turns new events of partitions away while grouping of them lags. */
export interface LagGate {
  /** Throws Fault `rate-limited` for a partition that lags. */
  pass(partition: number): void;
  /** Checks again. */
  look(): Promise<void>;
  close(): void;
}

const LOOK_MS = 5_000;
const RETRY_SECONDS = 30;

const refusal = (limitMs: number): Fault =>
  new Fault('rate-limited', `Event grouping is more than ${limitMs / 60_000}m behind`, [], {
    retryAfter: RETRY_SECONDS,
  });

export const openLagGate = ({ pipeline, processor, limitMs }: LagGateOptions): LagGate => {
  let shut: ReadonlySet<number> = new Set();
  const look = async (): Promise<void> => {
    // A log that does not answer refuses events by itself.
    const reports = await pipeline().catch(() => []);
    const partitions = reports.find(({ name }) => name === processor)?.partitions ?? [];
    shut = new Set(partitions.flatMap((one) => ((one.waitingMs ?? 0) >= limitMs ? [one.partition] : [])));
  };
  const timer = limitMs > 0 ? setInterval(() => void look(), LOOK_MS).unref() : undefined;
  return {
    pass(partition) {
      if (shut.has(partition)) throw refusal(limitMs);
    },
    look,
    close: () => clearInterval(timer),
  };
};
