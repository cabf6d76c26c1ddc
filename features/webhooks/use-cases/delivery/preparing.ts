import { entryOf } from '#domain/assert.ts';
import { isOvertaken } from '#domain/fault.ts';
import type { StoredRecord } from '#domain/ports/record-store.ts';
import type { Delivery } from '#features/webhooks/rules/webhook.ts';
import { type FrozenDelivery, freeze, type Sending } from './attempt.ts';
import { DELIVERY_KINDS, type Due } from './records.ts';

type StoredDue = StoredRecord<Due>;

/**
 * `skipped`: the format has no equivalent, or it is not needed any more. `stale`: it has another place in the queue, or
 * none. `elsewhere`: another process has it.
 */
export type Prepared =
  | { readonly is: 'ready'; readonly stored: StoredRecord<FrozenDelivery> }
  | { readonly is: 'skipped'; readonly stored: StoredRecord<Delivery> }
  | { readonly is: 'stale'; readonly delivery: Delivery | null }
  | { readonly is: 'elsewhere' };

const prepare = async (sending: Sending, { body: due }: StoredDue): Promise<Prepared> => {
  const { records } = sending.ports;
  const stored = await records.get<Delivery>(due.tenant, DELIVERY_KINDS.delivery, due.deliveryId);
  // A crash happened between the change of the delivery and that of the queue, or it was requested again meanwhile.
  if (stored?.body.turn !== due.turn) return { is: 'stale', delivery: stored?.body ?? null };
  try {
    const frozen = await freeze(sending, stored);
    return frozen === null ? { is: 'skipped', stored } : { is: 'ready', stored: frozen };
  } catch (error) {
    if (isOvertaken(error)) return { is: 'elsewhere' };
    throw error;
  }
};

/** Adds the bodies of deliveries, a few at once and before their turn: so they share a commit. */
export class Preparing {
  readonly #ahead = new Map<string, Promise<Prepared>>();

  /** Returns the delivery with its body; `next`: those sent within the second. */
  take(sending: Sending, due: StoredDue, next: readonly StoredDue[]): Promise<Prepared> {
    if (!this.#ahead.has(due.id)) for (const one of [due, ...next]) this.#begin(sending, one);
    const prepared = entryOf(this.#ahead, due.id);
    this.#ahead.delete(due.id);
    return prepared;
  }

  #begin(sending: Sending, due: StoredDue): void {
    if (this.#ahead.has(due.id)) return;
    const prepared = prepare(sending, due);
    // The reader of the result gets the failure.
    prepared.catch(() => undefined);
    this.#ahead.set(due.id, prepared);
  }
}
