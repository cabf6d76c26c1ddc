import type { LiveChange, LiveKind } from './live-change.ts';

/** Ids of a kind that one message names. */
const MAX_IDS = 200;
/** Ids of all kinds together, as bytes of JSON with a prefix of four: the rest of a message of 16 KiB is below 1 KiB. */
const MAX_BYTES = 15 * 1_024;
const PREFIX = 4;
/** Quotes and comma. */
const MARKS = 3;

/** Changes of one kind since the last message. */
export interface PendingOfKind {
  readonly created: number;
  readonly changed: number;
  readonly ids: readonly string[];
  /** Changes beside those of `ids`; an id may have several. */
  readonly more: number;
}

interface Gathered {
  created: number;
  changed: number;
  readonly ids: Set<string>;
  more: number;
}

const bytesOf = (id: string): number => {
  // Escapes and UTF-8 make at most six bytes of a UTF-16 code unit.
  for (let i = 0; i < id.length; i++) {
    const unit = id.charCodeAt(i);
    if (unit < 32 || unit > 126 || unit === 34 || unit === 92) return PREFIX + id.length * 6 + MARKS;
  }
  return PREFIX + id.length + MARKS;
};

/** Changes that one reader has not received: as large as one message at most, however many there are. */
export class PendingChanges {
  readonly #kinds = new Map<LiveKind, Gathered>();
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#kinds.size === 0;
  }

  add({ of, id, count, isNew }: LiveChange): void {
    let gathered = this.#kinds.get(of);
    if (gathered === undefined) {
      gathered = { created: 0, changed: 0, ids: new Set(), more: 0 };
      this.#kinds.set(of, gathered);
    }
    if (isNew) gathered.created += count;
    else gathered.changed += count;
    if (!this.#names(gathered, id)) gathered.more += count;
  }

  /** True if the message names it. */
  #names({ ids }: Gathered, id: string | null): boolean {
    if (id === null) return false;
    if (ids.has(id)) return true;
    if (ids.size >= MAX_IDS) return false;
    const bytes = bytesOf(id);
    if (this.#bytes + bytes > MAX_BYTES) return false;
    this.#bytes += bytes;
    ids.add(id);
    return true;
  }

  /** All that was gathered; it is empty then. */
  take(): ReadonlyMap<LiveKind, PendingOfKind> {
    const taken = new Map<LiveKind, PendingOfKind>();
    for (const [kind, { ids, ...numbers }] of this.#kinds) taken.set(kind, { ...numbers, ids: [...ids] });
    this.#kinds.clear();
    this.#bytes = 0;
    return taken;
  }
}
