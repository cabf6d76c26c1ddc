import type { Append, ProducerConnection } from '#infra/kafka/producer/appender.ts';

/**
 * Fate of one append. `lost`: written, but the answer is an error; `refused`: not written, an error; `slow`: some turns
 * later.
 */
export type Fate = 'well' | 'slow' | 'refused' | 'lost';

interface Written {
  readonly writer: string;
  readonly serial: number;
  readonly text: string;
}

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/**
 * A broker with idempotent producers like Kafka's, and connections with the defect of kafkajs: an error reverts the
 * sequence number of the partition, whether or not the records were written.
 */
export class FakeBroker {
  readonly partitions = new Map<number, Written[]>();
  readonly violations: string[] = [];
  connections = 0;
  readonly #fate: () => Fate;
  readonly #expected = new Map<string, number>();

  constructor(fate: () => Fate) {
    this.#fate = fate;
  }

  readonly connect = (): ProducerConnection => {
    const producerId = ++this.connections;
    const sequences = new Map<number, number>();
    const inFlight = new Set<number>();
    let ended = false;
    return {
      append: async (append) => {
        const { partition, messages } = append;
        if (ended) throw new Error('ended');
        if (inFlight.has(partition)) this.violations.push(`two appends to partition ${partition} at once`);
        inFlight.add(partition);
        const sequence = sequences.get(partition) ?? 0;
        sequences.set(partition, sequence + messages.length);
        const fate = this.#fate();
        try {
          if (fate === 'slow') await turns(3);
          if (fate === 'refused') throw new Error('refused');
          const baseOffset = this.#write(producerId, sequence, append);
          await turns(1);
          if (fate === 'lost') throw new Error('lost');
          return { baseOffset };
        } catch (error) {
          sequences.set(partition, sequence);
          throw error;
        } finally {
          inFlight.delete(partition);
        }
      },
      end: () => {
        ended = true;
      },
    };
  };

  /** A sequence that is known already is acknowledged and not written. */
  #write(producerId: number, sequence: number, { partition, messages }: Append): number | null {
    const key = `${producerId}/${partition}`;
    if (sequence < (this.#expected.get(key) ?? 0)) return null;
    this.#expected.set(key, sequence + messages.length);
    const log = this.partitions.get(partition) ?? [];
    this.partitions.set(partition, log);
    const offset = log.length;
    for (const { value, headers } of messages)
      log.push({ writer: String(headers?.writer), serial: Number(headers?.serial), text: String(value) });
    return offset;
  }
}
