import { pause } from '#application/records/pause.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import { SOURCE_RECORDS } from '#features/topology-sources/rules/record-kinds.ts';
import type { SaidEntry } from '#features/topology-sources/rules/wanted.ts';

/** Number of entries per record. */
const PART = 500;
/** Number of records to read concurrently. */
const AT_ONCE = 5;

export type SaidShelf = 'ci' | 'edge';
const SHELVES: readonly SaidShelf[] = ['ci', 'edge'];

/** Stored as tuples; objects would need 50% more space. */
type StoredEntry = readonly [key: string, id: string, print: string, isKept: 0 | 1, missingSince: number];
interface StoredPart<T> {
  readonly entries: readonly T[];
}
/** Number of parts per shelf. */
type StoredBook = Readonly<Record<SaidShelf, number>>;
const EMPTY: StoredBook = { ci: 0, edge: 0 };

const stored = ({ key, id, print, isKept, missingSince }: SaidEntry): StoredEntry => [
  key,
  id,
  print,
  isKept ? 1 : 0,
  missingSince ?? 0,
];
const entryFrom = ([key, id, print, isKept, missingSince]: StoredEntry): SaidEntry => ({
  key,
  id,
  print,
  isKept: isKept === 1,
  missingSince: missingSince === 0 ? null : missingSince,
});

export const partId = (source: string, shelf: string, number: number): string =>
  `${source}/${shelf}/${String(number).padStart(6, '0')}`;

/** Reads the parts in order, several at a time. */
export async function eachPart<T>(
  records: RecordStore,
  tenant: string,
  { kind, source, shelf, parts }: { kind: string; source: string; shelf: string; parts: number },
  take: (number: number, body: readonly T[]) => void,
): Promise<void> {
  for (let first = 0; first < parts; first += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, parts - first) }, (_, n) => first + n);
    const read = await Promise.all(
      numbers.map((number) => records.get<StoredPart<T>>(tenant, kind, partId(source, shelf, number))),
    );
    for (const [at, one] of read.entries()) take(first + at, one?.body.entries ?? []);
    // Embedded stores answer without a turn of the thread.
    await pause(0);
  }
}

/** The record of a source in parts of 500 entries, so that a batch of changes writes one or two parts. */
export class SaidBook {
  readonly ci: ReadonlyMap<string, SaidEntry>;
  readonly edge: ReadonlyMap<string, SaidEntry>;
  readonly #records: RecordStore;
  readonly #tenant: string;
  readonly #source: string;
  readonly #entries: Record<SaidShelf, Map<string, SaidEntry>> = { ci: new Map(), edge: new Map() };
  readonly #parts: Record<SaidShelf, Map<string, SaidEntry>[]> = { ci: [], edge: [] };
  readonly #partOf: Record<SaidShelf, Map<string, number>> = { ci: new Map(), edge: new Map() };
  readonly #dirty: Record<SaidShelf, Set<number>> = { ci: new Set(), edge: new Set() };
  #known: StoredBook = EMPTY;

  private constructor(records: RecordStore, tenant: string, source: string) {
    this.#records = records;
    this.#tenant = tenant;
    this.#source = source;
    this.ci = this.#entries.ci;
    this.edge = this.#entries.edge;
  }

  static async open(records: RecordStore, tenant: string, source: string): Promise<SaidBook> {
    const book = new SaidBook(records, tenant, source);
    book.#known = (await records.get<StoredBook>(tenant, SOURCE_RECORDS.book, source))?.body ?? EMPTY;
    for (const shelf of SHELVES) {
      const place = { kind: SOURCE_RECORDS.part, source, shelf, parts: book.#known[shelf] };
      await eachPart<StoredEntry>(records, tenant, place, (number, entries) => book.#take(shelf, number, entries));
    }
    return book;
  }

  #take(shelf: SaidShelf, number: number, entries: readonly StoredEntry[]): void {
    const part = new Map<string, SaidEntry>();
    this.#parts[shelf][number] = part;
    for (const one of entries) {
      const entry = entryFrom(one);
      part.set(entry.key, entry);
      this.#entries[shelf].set(entry.key, entry);
      this.#partOf[shelf].set(entry.key, number);
    }
  }

  /** Returns a part with room for another entry. */
  #place(shelf: SaidShelf): number {
    const parts = this.#parts[shelf];
    const last = parts.length - 1;
    if (last >= 0 && (parts[last]?.size ?? 0) < PART) return last;
    return parts.push(new Map()) - 1;
  }

  set(shelf: SaidShelf, entry: SaidEntry): void {
    const number = this.#partOf[shelf].get(entry.key) ?? this.#place(shelf);
    this.#parts[shelf][number]?.set(entry.key, entry);
    this.#partOf[shelf].set(entry.key, number);
    this.#entries[shelf].set(entry.key, entry);
    this.#dirty[shelf].add(number);
  }

  drop(shelf: SaidShelf, key: string): void {
    const number = this.#partOf[shelf].get(key);
    if (number === undefined) return;
    this.#parts[shelf][number]?.delete(key);
    this.#partOf[shelf].delete(key);
    this.#entries[shelf].delete(key);
    this.#dirty[shelf].add(number);
  }

  /** Writes changed parts. The number of parts is written first, so that no part is lost. */
  async save(): Promise<void> {
    const counts = { ci: this.#parts.ci.length, edge: this.#parts.edge.length };
    if (counts.ci !== this.#known.ci || counts.edge !== this.#known.edge) {
      await this.#records.put(this.#tenant, SOURCE_RECORDS.book, this.#source, counts);
      this.#known = counts;
    }
    for (const shelf of SHELVES) {
      for (const number of this.#dirty[shelf]) {
        const body = { entries: [...(this.#parts[shelf][number]?.values() ?? [])].map(stored) };
        await this.#records.put(this.#tenant, SOURCE_RECORDS.part, partId(this.#source, shelf, number), body);
      }
      this.#dirty[shelf].clear();
    }
  }
}

/** Collects IDs of CIs or relationships that other sources of the tenant report. */
export async function saidByOthers(
  records: RecordStore,
  tenant: string,
  sources: readonly string[],
  shelf: SaidShelf,
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const source of sources) {
    const book = (await records.get<StoredBook>(tenant, SOURCE_RECORDS.book, source))?.body ?? EMPTY;
    const place = { kind: SOURCE_RECORDS.part, source, shelf, parts: book[shelf] };
    await eachPart<StoredEntry>(records, tenant, place, (_, entries) => {
      for (const [, id, , , missingSince] of entries) if (missingSince === 0) ids.add(id);
    });
  }
  return ids;
}

/** Deletes the record of a source, but not its CIs. */
export async function dropBook(records: RecordStore, tenant: string, source: string): Promise<void> {
  const book = (await records.get<StoredBook>(tenant, SOURCE_RECORDS.book, source))?.body ?? EMPTY;
  for (const shelf of SHELVES)
    for (let number = 0; number < book[shelf]; number++)
      await records.remove(tenant, SOURCE_RECORDS.part, partId(source, shelf, number));
  await records.remove(tenant, SOURCE_RECORDS.book, source);
}
