import { nextOver, type Reading, writingOver } from '#infra/embedded/journal/database.ts';

/** Names kept for writing; beyond, all are forgotten and get a second number when they are met again. */
const MAX_NAMES = 1_000_000;
/** Names read at a time. */
const BLOCK = 1_024;

/** Numbers for CI ids, which surroundings name by the dozen: a number takes 2 bytes there, an id 26. Numbers are never given anew. One list for a connection. */
export class CiNames {
  readonly #rows: Reading;
  #ids: string[] = [];
  /** Read at the first write. */
  #numbers: Map<string, number> | null = null;
  /** By the ids of a graph's nodes, then by node; 0 where it was not asked for. */
  #byNode = new WeakMap<readonly string[], Int32Array>();

  constructor(rows: Reading) {
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

  /** Stores what has no number yet. */
  numberOf(id: string): number {
    this.#numbers ??= this.#readAll();
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    if (this.#numbers.size >= MAX_NAMES) {
      this.#numbers.clear();
      this.#ids = [];
    }
    const n = nextOver(this.#rows, 'ci_name', 'n');
    writingOver(this.#rows)('INSERT INTO ci_name (n, id) VALUES (?, ?)', n, id);
    this.#remember(n, id);
    this.#numbers.set(id, n);
    return n;
  }

  /** The same for nodes whose ids these are: asking for a number costs no look-up among all names. */
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
    const rows = this.#rows.arrays('SELECT n, id FROM ci_name WHERE n >= ? AND n < ?').all(first, first + BLOCK);
    for (const [other, id] of rows as unknown as [number, string][]) this.#remember(other, id);
    return this.#ids[n]!;
  }

  /** The newest ones. */
  #readAll(): Map<string, number> {
    const rows = this.#rows.arrays('SELECT n, id FROM ci_name ORDER BY n DESC LIMIT ?').all(MAX_NAMES / 2);
    const numbers = new Map<string, number>();
    for (const [n, id] of (rows as unknown as [number, string][]).reverse()) numbers.set(this.#remember(n, id), n);
    return numbers;
  }

  /** One text per number: what was read before stays. */
  #remember(n: number, id: string): string {
    this.#ids[n] ??= id;
    return this.#ids[n];
  }
}
