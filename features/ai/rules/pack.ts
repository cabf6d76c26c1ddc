import type { CitationKind, EvidenceItem, EvidencePack, Fact } from '#domain/ai/evidence.ts';

const MAX_ITEMS = 40;

const LETTERS: Readonly<Record<CitationKind, string>> = {
  event: 'E',
  ci: 'C',
  relationship: 'R',
  group: 'G',
  service: 'S',
  query: 'Q',
  record: 'D',
};

const HREFS: Readonly<Partial<Record<CitationKind, (id: string) => string>>> = {
  event: (id) => `/api/events/${id}`,
  ci: (id) => `/v1/cmdb/ci/${id}`,
  relationship: (id) => `/v1/cmdb/relationships/${id}`,
  group: (id) => `/api/events/groups/${id}`,
  service: (id) => `/v1/services/${id}`,
};

/** Address of evidence without its own: input of a request, and tables of the program. */
export const DOCUMENTS = '/docs';

/** Returns the address of a thing of this kind. */
export const hrefOf = (kind: CitationKind, id: string): string => HREFS[kind]?.(id) ?? DOCUMENTS;

export interface NewItem {
  readonly kind: CitationKind;
  readonly id: string;
  readonly label: string;
  readonly facts: readonly Fact[];
  /** Address of queries and records, `DOCUMENTS` when it is empty; the others have theirs by id. */
  readonly href?: string;
}

/** Collects evidence, best first. */
export class PackBuilder {
  readonly #items: EvidenceItem[];

  /** `items`: of a pack that is continued. */
  constructor(items: EvidencePack = []) {
    this.#items = [...items];
  }

  /** The alias; that of the item already there with this kind and id; null when the pack is full. */
  add({ kind, id, label, facts, href }: NewItem): string | null {
    const known = this.#items.find((item) => item.kind === kind && item.id === id);
    if (known !== undefined) return known.alias;
    if (this.#items.length === MAX_ITEMS) return null;
    const number = this.#items.filter((item) => item.kind === kind).length + 1;
    const alias = `${LETTERS[kind]}${number}`;
    this.#items.push({ alias, kind, id, label, href: href || hrefOf(kind, id), facts });
    return alias;
  }

  get pack(): EvidencePack {
    return this.#items;
  }
}
