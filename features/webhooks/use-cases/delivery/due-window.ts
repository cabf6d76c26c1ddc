import type { Ports } from '#domain/ports/ports.ts';
import { type StoredRecord, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { misplacedFrom } from '#features/webhooks/rules/retry.ts';
import { DELIVERY_KINDS, type Due, firstOf, lastOf } from './records.ts';

type StoredDue = StoredRecord<Due>;

/** Due deliveries of one webhook that are read at once. */
const READ = 64;

/** The due deliveries of one webhook in their order; of each resource one at a time. */
export class DueWindow {
  readonly #ports: Pick<Ports, 'records' | 'clock'>;
  readonly #webhookId: string;
  #upcoming: StoredDue[] = [];
  /** Given out, by record id, until their outcome is stored. */
  readonly #handled = new Set<string>();
  readonly #busy = new Set<string>();
  #reading: Promise<void> | null = null;

  constructor(ports: Pick<Ports, 'records' | 'clock'>, webhookId: string) {
    this.#ports = ports;
    this.#webhookId = webhookId;
  }

  /** Returns the next one whose resource has none in flight; null when there is none. */
  async take(): Promise<StoredDue | null> {
    const next = this.#pick();
    if (next !== null) return next;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    await this.#reading;
    return this.#pick();
  }

  /** Returns the ones behind it, up to a maximum. */
  next(most: number): readonly StoredDue[] {
    return this.#upcoming.slice(0, most);
  }

  /** The attempt is over: the next one of the resource may begin. */
  over({ body }: StoredDue): void {
    this.#busy.delete(body.resource);
  }

  /** The outcome is stored, or could not be stored: then it is due again. */
  settled({ id }: StoredDue): void {
    this.#handled.delete(id);
  }

  #pick(): StoredDue | null {
    const at = this.#upcoming.findIndex(({ body }) => !this.#busy.has(body.resource));
    const next = this.#upcoming[at];
    if (next === undefined) return null;
    this.#upcoming.splice(at, 1);
    this.#busy.add(next.body.resource);
    this.#handled.add(next.id);
    return next;
  }

  async #read(): Promise<void> {
    const { records, clock } = this.#ports;
    const after = firstOf(this.#webhookId);
    const limit = READ + this.#handled.size;
    const page = await records.list<Due>(SYSTEM_TENANT, DELIVERY_KINDS.due, { after, limit });
    const now = clock.now();
    const own = page.filter(({ id }) => id < lastOf(this.#webhookId) && !this.#handled.has(id));
    this.#upcoming = own.filter(({ body }) => body.at <= now || body.at > misplacedFrom(now));
  }
}
