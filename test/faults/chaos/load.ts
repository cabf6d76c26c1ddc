import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '#test/setup/seeded.ts';
import type { Answer, Client } from './client.ts';
import { acknowledge, bulk, complain, type Delivery, flooded, single, webhook } from './deliveries.ts';
import type { KnownEvent, Ledger, Patch } from './ledger.ts';

export interface LoadOptions {
  readonly client: Client;
  readonly ledger: Ledger;
  readonly random: Random;
  readonly tenants: readonly string[];
}

const SENDERS = 16;
/** Mean pause of a sender, ms: together about 30 requests a second when everything runs. */
const PAUSE_MS = 450;
const FLOOD_BULK = 500;
const FLOOD_SENDERS = 3;
const FLOOD_TOLD = 10_000;
const MAX_RETRY_MS = 6_000;
const MIN_RETRY_MS = 200;
/** Time after the end of the load: longer than the lease of a request whose process was killed. */
const LAST_RETRIES_MS = 75_000;
const REMEMBERED = 200;
/**
 * Senders wait while more requests than this have no answer: clients that retry forever would only starve the machine.
 */
const MAX_RETRIES = 40;

interface Shown {
  readonly event: { readonly occurrenceCount: number; readonly history: readonly { readonly notes?: string }[] };
}

/**
 * A seeded load over HTTP: many tenants, all ingest endpoints, repeats of requests, changes of status, and reads that
 * check on them.
 */
export class Load {
  readonly #options: LoadOptions;
  readonly #retries = new Set<Promise<void>>();
  readonly #answered: { readonly delivery: Delivery; readonly ids: readonly (string | null)[] }[] = [];
  #serial = 0;
  #until = Number.POSITIVE_INFINITY;
  #stopped = false;
  phase = 'calm';

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  /** Runs until `stop`. */
  async run(): Promise<void> {
    const { random } = this.#options;
    const senders = Array.from({ length: SENDERS }, async (_, n) => {
      const own = random.fork(`sender ${n}`);
      while (!this.#stopped) {
        if (this.#retries.size < MAX_RETRIES) await this.#one(own);
        await sleep(own.gap(PAUSE_MS));
      }
    });
    await Promise.all(senders);
    await Promise.all(this.#retries);
  }

  /** No new requests; those without an answer are still sent again for a while. */
  stop(): void {
    this.#stopped = true;
    this.#until = performance.now() + LAST_RETRIES_MS;
  }

  /** Sends this number of new events of one tenant, as fast as they are accepted. */
  async flood(count: number, random: Random, told: (sent: number) => void): Promise<void> {
    const [tenant = ''] = this.#options.tenants;
    let sent = 0;
    const send = async (): Promise<void> => {
      for (let from = sent; from < count && !this.#stopped; from = sent) {
        const size = Math.min(FLOOD_BULK, count - from);
        sent += size;
        const complaints = Array.from({ length: size }, (_, n) => flooded(from + n, tenant, this.phase));
        const id = `n${++this.#serial}`;
        await this.#deliver(bulk(complaints, id, `key-${id}`), random);
        if (this.#retries.size >= MAX_RETRIES) await Promise.race(this.#retries);
        if (sent % FLOOD_TOLD < size) told(sent);
      }
    };
    await Promise.all(Array.from({ length: FLOOD_SENDERS }, send));
    await Promise.all(this.#retries);
  }

  #one(random: Random): Promise<void> {
    const kind = random.next();
    if (kind < 0.7) return this.#deliver(this.#delivery(random), random);
    if (kind < 0.78) return this.#again(random);
    if (kind < 0.88) return this.#patch(random);
    return this.#look(random);
  }

  #delivery(random: Random): Delivery {
    const { tenants } = this.#options;
    const tenant = tenants[Math.floor(tenants.length * random.next() ** 2)]!;
    const some = (most: number) =>
      Array.from({ length: random.whole(1, most) }, () => complain(random, tenant, this.phase));
    const id = `n${++this.#serial}`;
    const key = random.chance(0.5) ? `key-${id}` : null;
    const kind = random.next();
    if (kind < 0.5) return single(some(1)[0]!, id, key);
    if (kind < 0.65) return bulk(some(20), id, key);
    return webhook(some(8), random.chance(0.4) ? some(3) : [], id);
  }

  async #deliver(delivery: Delivery, random: Random): Promise<void> {
    const { phase } = this;
    const answer = await this.#options.client.send(delivery.request, phase);
    if (answer !== null && answer.status < 300) return this.#took(delivery, answer, phase, random);
    if (!delivery.repeatable) return this.#lost(delivery, answer);
    const retrying = this.#retry(delivery, answer, phase, random).finally(() => this.#retries.delete(retrying));
    this.#retries.add(retrying);
  }

  #took(delivery: Delivery, { body }: Answer, phase: string, random: Random): void {
    const ids = acknowledge(this.#options.ledger, delivery, body, phase);
    if (!delivery.repeatable) return;
    const place = this.#answered.length < REMEMBERED ? this.#answered.length : random.whole(0, REMEMBERED - 1);
    this.#answered[place] = { delivery, ids };
  }

  /** Nothing was accepted after a rate limit; after any other refusal the outcome is unknown. */
  #lost({ complaints }: Delivery, answer: Answer | null): void {
    if (answer?.status === 429) return;
    for (const complaint of complaints) this.#options.ledger.tally(complaint).unknown += 1;
  }

  async #retry(delivery: Delivery, first: Answer | null, phase: string, random: Random): Promise<void> {
    const { client, ledger } = this.#options;
    let known = first?.status === 429;
    for (let answer = first; ; ) {
      await sleep(Math.min(MAX_RETRY_MS, Math.max(MIN_RETRY_MS, answer?.retryAfterMs ?? 0)));
      if (performance.now() > this.#until) break;
      ledger.resent += 1;
      answer = await client.send(delivery.request, phase);
      if (answer !== null && answer.status < 300) return this.#took(delivery, answer, phase, random);
      known &&= answer?.status === 429;
    }
    if (!known) this.#lost(delivery, null);
  }

  /** Sends an answered request again: the same events must be returned. */
  async #again(random: Random): Promise<void> {
    const { client, ledger } = this.#options;
    const { phase } = this;
    if (this.#answered.length === 0) return;
    const { delivery, ids } = random.pick(this.#answered);
    ledger.resent += 1;
    const answer = await client.send(delivery.request, phase);
    if (answer === null || answer.status >= 300) return;
    const now = delivery.read(answer.body as never);
    for (const [index, named] of now.entries()) {
      const before = ids[index] ?? null;
      if (before !== null && named !== null && named.eventId !== before)
        ledger.lie(phase, `a repeated request was answered with ${named.eventId} instead of ${before}`);
    }
  }

  #anyEvent(random: Random): [string, KnownEvent] | null {
    const { events, eventIds } = this.#options.ledger;
    if (eventIds.length === 0) return null;
    const id = random.pick(eventIds);
    return [id, events.get(id)!];
  }

  async #patch(random: Random): Promise<void> {
    const { client, ledger } = this.#options;
    const chosen = this.#anyEvent(random);
    if (chosen === null) return;
    const { phase } = this;
    const [eventId, { tenant }] = chosen;
    const note = `note ${++this.#serial}.`;
    const status = random.pick(['acknowledged', 'acknowledged', 'suppressed', 'resolved']);
    const patch: Patch = { tenant, eventId, note, phase, outcome: 'unknown' };
    ledger.patches.push(patch);
    const request = {
      method: 'PATCH' as const,
      path: `/api/events/${eventId}/status`,
      tenant,
      body: JSON.stringify({ status, notes: note }),
    };
    const answer = await client.send(request, phase);
    if (answer?.status === 409 || answer?.status === 429) patch.outcome = 'refused';
    if (answer === null || answer.status >= 300) return;
    patch.outcome = answer.status === 202 ? 'queued' : 'done';
    if (patch.outcome === 'queued') return;
    const { history } = (answer.body as Shown).event;
    if (!history.some(({ notes }) => notes === note))
      ledger.lie(phase, `PATCH of ${eventId} was answered with 200 and had not happened`);
  }

  /** A shown state is final: an event never returns to a lower count than a client has seen. */
  async #look(random: Random): Promise<void> {
    const { client, ledger } = this.#options;
    const chosen = this.#anyEvent(random);
    if (chosen === null) return;
    const { phase } = this;
    const [eventId, known] = chosen;
    const before = known.count;
    const answer = await client.send({ method: 'GET', path: `/api/events/${eventId}`, tenant: known.tenant }, phase);
    if (answer?.status !== 200) return;
    const { occurrenceCount } = (answer.body as Shown).event;
    if (occurrenceCount < before)
      ledger.lie(phase, `${eventId} was shown with ${before} occurrences, and then with ${occurrenceCount}`);
    ledger.saw(known, eventId, occurrenceCount);
  }
}
