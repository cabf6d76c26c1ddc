import { nextOver, type RowReader, writingOver } from '#infra/embedded/redo-log/connections.ts';

/** Ids in memory; above this all are forgotten, and get a second number at their next use. */
const MAX_ENTRIES = 1_000_000;
/** Entries per read. */
const BLOCK = 1_024;

/**
 * Dictionary encoding of CI ids: a stored neighborhood has dozens, a number uses 2 bytes and an id 26. Numbers are
 * never reused. One dictionary per connection.
 */
export class CiDictionary {
  readonly #rows: RowReader;
  #ids: string[] = [];
  /** Read at the first write. */
  #numbers: Map<string, number> | null = null;
  /** Numbers by the ids of a graph's nodes, then by node; 0: not looked up yet. */
  #byNode = new WeakMap<readonly string[], Int32Array>();

  constructor(rows: RowReader) {
    this.#rows = rows;
  }

  forget(): void {
    this.#ids = [];
    this.#numbers = null;
    this.#byNode = new WeakMap();
  }

  idOf(n: number): string {
    return this.#ids[n] ?? this.#read(n);
  }

  /** Stores an id that has no number yet. */
  numberOf(id: string): number {
    this.#numbers ??= this.#readAll();
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    if (this.#numbers.size >= MAX_ENTRIES) {
      this.#numbers.clear();
      this.#ids = [];
    }
    const n = nextOver(this.#rows, 'ci_name', 'n');
    writingOver(this.#rows)('INSERT INTO ci_name (n, id) VALUES (?, ?)', n, id);
    this.#remember(n, id);
    this.#numbers.set(id, n);
    return n;
  }

  /** The same for nodes of a graph, without a look-up among all ids. */
  numbersOf(ids: readonly string[], nodes: readonly number[]): number[] {
    const known = this.#ofNodes(ids);
    return nodes.map((node) => {
      if (known[node] === 0) known[node] = this.numberOf(ids[node]!);
      return known[node]!;
    });
  }

  #ofNodes(ids: readonly string[]): Int32Array {
    const known = this.#byNode.get(ids);
    if (known !== undefined && known.length >= ids.length) return known;
    const larger = new Int32Array(ids.length + Math.ceil(ids.length / 4));
    if (known !== undefined) larger.set(known);
    this.#byNode.set(ids, larger);
    return larger;
  }

  #read(n: number): string {
    const first = n - (n % BLOCK);
    const rows = this.#rows
      .arrays<[number, string]>('SELECT n, id FROM ci_name WHERE n >= ? AND n < ?')
      .all(first, first + BLOCK);
    for (const [other, id] of rows) this.#remember(other, id);
    return this.#ids[n]!;
  }

  /** Reads the newest entries. */
  #readAll(): Map<string, number> {
    const rows = this.#rows
      .arrays<[number, string]>('SELECT n, id FROM ci_name ORDER BY n DESC LIMIT ?')
      .all(MAX_ENTRIES / 2);
    const numbers = new Map<string, number>();
    for (const [n, id] of rows.reverse()) numbers.set(this.#remember(n, id), n);
    return numbers;
  }

  /** One string per number: the first one read stays. */
  #remember(n: number, id: string): string {
    this.#ids[n] ??= id;
    return this.#ids[n];
  }
}
