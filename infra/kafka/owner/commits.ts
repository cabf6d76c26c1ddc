import type { TopicPartitionOffsetAndMetadata } from 'kafkajs';

/** Offset from which a partition is read on, and the metadata stored with it. */
export interface Commit {
  readonly offset: number;
  readonly metadata: string;
}

const AGAIN_MS = 1_000;

/** Commits one request at a time, the newest offsets of all partitions in each. */
export class Commits {
  readonly #topic: string;
  readonly #send: (offsets: TopicPartitionOffsetAndMetadata[]) => Promise<void>;
  readonly #waiting = new Map<number, Commit>();
  #sending: Promise<void> | null = null;
  /** Number of times that partitions were revoked. */
  #turn = 0;

  constructor(topic: string, send: (offsets: TopicPartitionOffsetAndMetadata[]) => Promise<void>) {
    this.#topic = topic;
    this.#send = send;
  }

  note(partition: number, commit: Commit): void {
    this.#waiting.set(partition, commit);
    this.#sending ??= this.#sendAll();
  }

  /** Partitions were revoked: only the new owner may report unsent progress. */
  forget(): void {
    this.#turn += 1;
    this.#waiting.clear();
  }

  /** Resolves when nothing is in flight. */
  async settled(): Promise<void> {
    await this.#sending;
  }

  async #sendAll(): Promise<void> {
    // Commits noted in the same turn share the first request.
    await Promise.resolve();
    while (this.#waiting.size > 0) {
      const [sent, turn] = [[...this.#waiting], this.#turn];
      this.#waiting.clear();
      try {
        await this.#send(
          sent.map(([partition, { offset, metadata }]) => ({
            topic: this.#topic,
            partition,
            offset: String(offset),
            metadata,
          })),
        );
      } catch {
        // The group is rejoining or the broker is away: both show elsewhere, and the work is done all the same.
        if (turn === this.#turn) this.#again(sent);
        break;
      }
    }
    this.#sending = null;
  }

  #again(unsent: readonly (readonly [number, Commit])[]): void {
    for (const [partition, commit] of unsent) if (!this.#waiting.has(partition)) this.#waiting.set(partition, commit);
    setTimeout(() => {
      if (this.#waiting.size > 0) this.#sending ??= this.#sendAll();
    }, AGAIN_MS).unref();
  }
}
