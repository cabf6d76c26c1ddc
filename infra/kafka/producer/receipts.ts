import type { Kafka } from 'kafkajs';
import type { Receipt } from '#domain/event/incoming.ts';
import type { Codecs } from '#infra/kafka/codec/codecs.ts';
import { eventsReceipts } from '#schemas/topics/topics.ts';
import type { RequestReceipts } from '#schemas/topics/values.ts';
import { openBroadcast } from './broadcast.ts';
import { writeReply } from './reply.ts';

export interface ReceiptsOptions {
  readonly kafka: Kafka;
  readonly codecs: Codecs;
  /** Names this start of the process. */
  readonly process: string;
  readonly group: string;
}

interface Waiting {
  readonly receipts: (Receipt | undefined)[];
  left: number;
  readonly done: (receipts: readonly Receipt[]) => void;
}

/** Requests of this process that wait for their receipts. */
export interface Receipts {
  /** Notes a request with this number of records before it is sent. */
  expect(records: number): {
    readonly replies: readonly string[];
    /** Returns null when they have not all arrived in time. */
    within(timeoutMs: number): Promise<readonly Receipt[] | null>;
    forget(): void;
  };
  /** Records whose receipts are awaited. */
  waiting(): number;
  close(): Promise<void>;
}

/** Reads all receipts, in an unshared group of its own. Resolves when it is ready for the first request. */
export const openReceipts = async ({ kafka, codecs, process, group }: ReceiptsOptions): Promise<Receipts> => {
  const waiting = new Map<string, Waiting>();
  let requests = 0;

  const take = ({ request, receipts }: RequestReceipts): void => {
    const known = waiting.get(request);
    if (known === undefined) return;
    for (const { index, receipt } of receipts) {
      if (index >= known.receipts.length || known.receipts[index] !== undefined) continue;
      known.receipts[index] = receipt;
      known.left -= 1;
    }
    if (known.left === 0) known.done(known.receipts as Receipt[]);
  };

  const broadcast = await openBroadcast({
    kafka,
    group,
    topic: eventsReceipts,
    async take({ key, value }) {
      if (value !== null && key?.toString() === process)
        take((await codecs.decode(eventsReceipts, value)) as RequestReceipts);
    },
  });

  return {
    expect(records) {
      const request = String(++requests);
      const { promise, resolve } = Promise.withResolvers<readonly Receipt[]>();
      waiting.set(request, { receipts: new Array(records).fill(undefined), left: records, done: resolve });
      const forget = (): void => void waiting.delete(request);
      return {
        replies: Array.from({ length: records }, (_, index) => writeReply({ process, request, index })),
        forget,
        async within(timeoutMs) {
          const late = Promise.withResolvers<null>();
          const timer = setTimeout(() => late.resolve(null), Math.max(0, timeoutMs));
          try {
            return await Promise.race([promise, late.promise]);
          } finally {
            clearTimeout(timer);
            forget();
          }
        },
      };
    },
    waiting() {
      let records = 0;
      for (const { left } of waiting.values()) records += left;
      return records;
    },
    close: () => broadcast.close(),
  };
};
