import { int32At, uint32At } from '#domain/assert.ts';
import { type Adjacency, degreeOf } from './adjacency.ts';

/** Depth-first search without recursion: a chain of 60,000 nodes is as deep. */
class Search {
  readonly #graph: Adjacency;
  /** Number in the order of discovery, from 1; 0: not seen. */
  readonly #seen: Uint32Array;
  /** The lowest number that the nodes below can get back to. */
  readonly #low: Uint32Array;
  readonly #parent: Int32Array;
  /** Neighbours looked at. */
  readonly #next: Uint32Array;
  #count = 0;

  constructor(graph: Adjacency) {
    this.#graph = graph;
    this.#seen = new Uint32Array(graph.size);
    this.#low = new Uint32Array(graph.size);
    this.#parent = new Int32Array(graph.size).fill(-1);
    this.#next = new Uint32Array(graph.size);
  }

  /** Adds the articulation points of the component of `root`, unless it was looked at before. */
  from(root: number, found: Set<number>): void {
    if (this.#seen[root] !== 0) return;
    let children = 0;
    let node = root;
    this.#enter(root);
    for (;;) {
      const next = this.#step(node);
      if (next !== -1) {
        if (node === root) children += 1;
        node = next;
        continue;
      }
      const parent = int32At(this.#parent, node);
      if (parent === -1) break;
      this.#low[parent] = Math.min(uint32At(this.#low, parent), uint32At(this.#low, node));
      if (parent !== root && uint32At(this.#low, node) >= uint32At(this.#seen, parent)) found.add(parent);
      node = parent;
    }
    if (children > 1) found.add(root);
  }

  #enter(node: number): void {
    this.#count += 1;
    this.#seen[node] = this.#count;
    this.#low[node] = this.#count;
  }

  /** The next neighbour that was not seen, entered; -1 when there is none. */
  #step(node: number): number {
    const { offsets, targets } = this.#graph;
    while (uint32At(this.#next, node) < degreeOf(this.#graph, node)) {
      const at = uint32At(this.#next, node);
      this.#next[node] = at + 1;
      const other = uint32At(targets, uint32At(offsets, node) + at);
      if (this.#seen[other] === 0) {
        this.#parent[other] = node;
        this.#enter(other);
        return other;
      }
      if (other !== this.#parent[node])
        this.#low[node] = Math.min(uint32At(this.#low, node), uint32At(this.#seen, other));
    }
    return -1;
  }
}

/** Nodes without which the graph has more components (Tarjan), in time linear in its size. */
export function articulationPoints(graph: Adjacency): ReadonlySet<number> {
  const found = new Set<number>();
  const search = new Search(graph);
  for (let node = 0; node < graph.size; node++) search.from(node, found);
  return found;
}
