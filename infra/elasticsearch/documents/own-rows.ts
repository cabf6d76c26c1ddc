import type { Family } from '#infra/elasticsearch/cluster/names.ts';
import { EVERYTHING } from '#infra/elasticsearch/cluster/query.ts';
import { scan } from '#infra/elasticsearch/cluster/scan.ts';
import type { DocumentQuery } from '#infra/elasticsearch/cluster/search.ts';
import type { Store } from '#infra/elasticsearch/cluster/store.ts';
import { newestByTenant, tenantsIn } from '#infra/elasticsearch/cluster/tenants.ts';

/** A value per tenant. */
export type Newest = ReadonlyMap<string, number>;

/** Reads lists of stored rows of some tenants, each family as of its first request. */
export class OwnRows {
  readonly #store: Store;
  readonly #mine: (tenant: string) => boolean;
  readonly #refreshed = new Map<Family, Promise<void>>();

  constructor(store: Store, mine: (tenant: string) => boolean) {
    this.#store = store;
    this.#mine = mine;
  }

  /** Those of ours that have rows. */
  async tenants(family: Family, row: string): Promise<string[]> {
    await this.#refresh(family);
    const found = await tenantsIn(this.#store.connection, this.#store.names.every(family), `${row}.tenant`);
    return found.filter((tenant) => this.#mine(tenant));
  }

  /** The highest value per tenant of ours. */
  async newest(family: Family, row: string, field: string, query: DocumentQuery = EVERYTHING): Promise<Newest> {
    const tenants = await this.tenants(family, row);
    const asked = { index: this.#store.names.every(family), tenant: `${row}.tenant`, tenants, field, query };
    return newestByTenant(this.#store.connection, asked);
  }

  async *scan<T>(family: Family, query: DocumentQuery, sort: string, source?: readonly string[], most?: number) {
    await this.#refresh(family);
    const index = this.#store.names.every(family);
    const bounds = { ...(source === undefined ? {} : { source }), ...(most === undefined ? {} : { most }) };
    yield* scan<T>(this.#store.connection, { index, query, sort, ...bounds });
  }

  /** Search lags saves: once per family, so that everything saved before this object was made is seen. */
  #refresh(family: Family): Promise<void> {
    const refreshed = this.#refreshed.get(family) ?? this.#store.indices.refresh(family);
    this.#refreshed.set(family, refreshed);
    return refreshed;
  }
}
