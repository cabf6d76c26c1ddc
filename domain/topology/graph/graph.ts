/** CIs and relationships of one tenant as integers, with the edges of the past that walks still need. */
/** Struct of arrays: node n has edges `headOut[n]`, `nextOut[…]` …, ended by -1. About 45 bytes an edge. */
export interface Graph {
  readonly ids: string[];
  readonly nodes: Map<string, number>;
  /** End of a removed CI; it retains its node, because its past stays. */
  readonly ended: Map<number, number>;
  /** Ids ascend with node numbers, so that numbers can be compared in their place. */
  sorted: boolean;
  readonly types: string[];
  readonly typeNumbers: Map<string, number>;
  readonly typeFlags: number[];
  edgeSlots: number;
  /** First free slot of a chain over `nextOut`, or -1. */
  free: number;
  headOut: Int32Array;
  headIn: Int32Array;
  source: Int32Array;
  target: Int32Array;
  nextOut: Int32Array;
  nextIn: Int32Array;
  type: Uint16Array;
  flags: Uint8Array;
  since: Float64Array;
  until: Float64Array;
  /** Scratch of the walks, one entry per node. */
  mark: Int32Array;
  via: Int32Array;
  queue: Int32Array;
  hops: Uint8Array;
  stamp: number;
}

const FIRST_NODES = 16;

export const emptyGraph = (nodes = FIRST_NODES, edges = FIRST_NODES): Graph => ({
  ids: [],
  nodes: new Map(),
  ended: new Map(),
  sorted: true,
  types: [],
  typeNumbers: new Map(),
  typeFlags: [],
  edgeSlots: 0,
  free: -1,
  headOut: new Int32Array(nodes),
  headIn: new Int32Array(nodes),
  source: new Int32Array(edges),
  target: new Int32Array(edges),
  nextOut: new Int32Array(edges),
  nextIn: new Int32Array(edges),
  type: new Uint16Array(edges),
  flags: new Uint8Array(edges),
  since: new Float64Array(edges),
  until: new Float64Array(edges),
  mark: new Int32Array(nodes),
  via: new Int32Array(nodes),
  queue: new Int32Array(nodes),
  hops: new Uint8Array(nodes),
  stamp: 0,
});

/** A copy of twice the length. Buffers of their own kind, so that every walk sees one shape. */
export const doubled = <A extends Int32Array | Uint16Array | Uint8Array | Float64Array>(array: A): A => {
  const larger = new (array.constructor as new (length: number) => A)(Math.max(FIRST_NODES, array.length * 2));
  larger.set(array);
  return larger;
};

/** The CI of a node. */
export const idOf = ({ ids }: Graph, node: number): string => ids[node]!;

function growNodes(graph: Graph): void {
  graph.headOut = doubled(graph.headOut);
  graph.headIn = doubled(graph.headIn);
  graph.mark = doubled(graph.mark);
  graph.via = doubled(graph.via);
  graph.queue = doubled(graph.queue);
  graph.hops = doubled(graph.hops);
}

/** The node of a CI, made when it is new; an ended one lives again. */
export function addNode(graph: Graph, id: string): number {
  const known = graph.nodes.get(id);
  if (known !== undefined) {
    graph.ended.delete(known);
    return known;
  }
  const node = graph.ids.length;
  if (node === graph.headOut.length) growNodes(graph);
  if (node > 0 && id < idOf(graph, node - 1)) graph.sorted = false;
  graph.headOut[node] = -1;
  graph.headIn[node] = -1;
  graph.ids.push(id);
  graph.nodes.set(id, node);
  return node;
}
