import { firstItem } from '#domain/assert.ts';
import { partnersIn } from '#domain/correlation/grouping/apply.ts';
import type { Facts } from '#domain/correlation/grouping/groups.ts';
import type { Decision, Enriched, Outcome } from '#domain/correlation/records.ts';
import { NO_TRANSITIONS, type PlacedTransition } from '#domain/correlation/status-transitions.ts';
import { NO_WHOLES } from '#domain/topology/near.ts';
import type { Store } from '#infra/elasticsearch/cluster/store.ts';
import { readEnriched, withRearrivals } from '#infra/elasticsearch/documents/correlation-documents.ts';
import { readTransitions } from '#infra/elasticsearch/queries/event-transitions.ts';

const SOURCE = ['enriched.arrival', 'enriched.upstream', 'enriched.wholes', 'enriched.settings'];

/** A decision with the facts of its arrival and of the others that joined by it. */
export interface RestoredDecision {
  readonly decision: Outcome;
  readonly facts: Facts;
  readonly partners: readonly Facts[];
}

const keyOf = (tenant: string, id: string): string => `${tenant}\n${id}`;

/** Facts as one start reads them: each event once, and equal lists and settings as one object. */
export class IndexedArrivals {
  readonly #store: Store;
  /** Facts by event, by position. */
  readonly #facts = new Map<string, readonly Facts[]>();
  readonly #shared = new Map<string, unknown>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Decisions of which nothing is stored about the arrival are left out. */
  async of(decisions: readonly Decision[]): Promise<RestoredDecision[]> {
    await this.#read(decisions);
    return decisions.flatMap((decision) => {
      const facts = this.#factsOf(decision);
      return facts === undefined
        ? []
        : [{ decision: outcomeOf(decision), facts, partners: this.#partnersOf(decision) }];
    });
  }

  async #read(decisions: readonly Decision[]): Promise<void> {
    const missing = new Map<string, { tenant: string; id: string }>();
    for (const decision of decisions)
      for (const id of [decision.eventId, ...partnersIn(decision)]) {
        const { tenant } = decision;
        if (!this.#facts.has(keyOf(tenant, id))) missing.set(keyOf(tenant, id), { tenant, id });
      }
    const keys = [...missing.values()];
    const turns = await readTransitions(this.#store, keys);
    const found = await readEnriched(this.#store, keys, SOURCE);
    for (const records of await withRearrivals(this.#store, found, () => true, SOURCE)) {
      const { tenant, eventId } = firstItem(records).arrival;
      const lived = turns.get(eventId) ?? NO_TRANSITIONS;
      this.#facts.set(
        keyOf(tenant, eventId),
        records.map((record) => this.#toFacts(record, lived)),
      );
    }
  }

  #toFacts({ arrival, upstream, wholes = NO_WHOLES, settings }: Enriched, turns: readonly PlacedTransition[]): Facts {
    const facts = {
      arrival: { ...arrival, chain: this.#one(arrival.chain) },
      upstream: this.#one(upstream),
      settings: this.#one(settings),
      turns,
    };
    return wholes.length === 0 ? facts : { ...facts, wholes: this.#one(wholes) };
  }

  #one<T>(value: T): T {
    const text = JSON.stringify(value);
    const known = this.#shared.get(text) as T | undefined;
    if (known !== undefined) return known;
    this.#shared.set(text, value);
    return value;
  }

  /** Returns the record of the decision's own arrival; manual links have none, so the newest before them counts. */
  #factsOf({ tenant, eventId, position }: Decision): Facts | undefined {
    return this.#asOf(tenant, eventId, position);
  }

  #partnersOf(decision: Decision): Facts[] {
    const { tenant, position } = decision;
    const others = partnersIn(decision);
    return others.map((id) => this.#asOf(tenant, id, position)).filter((facts) => facts !== undefined);
  }

  #asOf(tenant: string, id: string, position: number): Facts | undefined {
    const known = this.#facts.get(keyOf(tenant, id));
    return known?.findLast(({ arrival }) => arrival.position <= position) ?? known?.[0];
  }
}

const outcomeOf = ({ accepted: _a, refused: _r, cut: _c, ...outcome }: Decision): Outcome => outcome;
