import { nodeOf, viaOf } from '#domain/topology/graph/arrival-topology.ts';
import type { NearCi, Neighbour, Surroundings } from '#domain/topology/near.ts';
import type { NodesOfLists } from '#infra/embedded/topology/cache.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import type { CiDictionary } from './ci-dictionary.ts';
import { DenseIds } from './dense-ids.ts';

/** Everything about the topology around an arrival; arrivals on one CI share it while the topology stays. */
export interface ArrivalSurroundings {
  readonly chain: readonly NearCi[];
  readonly surroundings: Surroundings;
}
export interface Lists {
  readonly chain: readonly NearCi[];
  readonly upstream: readonly NearCi[];
}

/** The CIs named, each once: numbers as steps from the one before, since those met together have numbers close together. */
const writeNames = (out: ByteWriter, numbers: readonly number[]): void => {
  out.number(numbers.length);
  let last = 0;
  for (const n of numbers) {
    out.number(n >= last ? 2 * (n - last) : 2 * (last - n) - 1);
    last = n;
  }
};
const readNames = (bytes: ByteReader): number[] => {
  const numbers: number[] = new Array(bytes.number());
  let last = 0;
  for (let i = 0; i < numbers.length; i++) {
    const step = bytes.number();
    last += step % 2 === 0 ? step / 2 : -(step + 1) / 2;
    numbers[i] = last;
  }
  return numbers;
};

/** Numbers of the CIs of a list, each with that of the CI before it, or −1, in turns. */
type Trail = readonly number[];
interface Trails {
  readonly upstream: Trail;
  readonly chain: Trail;
  readonly near: Trail;
}

const trailByIds = (list: readonly NearCi[], names: CiDictionary): Trail =>
  list.flatMap(({ ci, via }) => [names.numberOf(ci), via === null ? -1 : names.numberOf(via)]);

const isOf = (nodes: Trail, list: readonly NearCi[]): boolean => nodes.length === 2 * list.length;

function trailsOf(
  { chain, surroundings: { near, upstream } }: ArrivalSurroundings,
  names: CiDictionary,
  nodes: NodesOfLists | null,
): Trails {
  if (nodes !== null && isOf(nodes.near, near) && isOf(nodes.upstream, upstream) && isOf(nodes.chain, chain)) {
    const numbers = (trail: Trail): Trail => names.numbersOf(nodes.ids, trail);
    return { near: numbers(nodes.near), upstream: numbers(nodes.upstream), chain: numbers(nodes.chain) };
  }
  const numbers = (list: readonly NearCi[]): Trail => trailByIds(list, names);
  return { near: numbers(near), upstream: numbers(upstream), chain: numbers(chain) };
}

/** First number of a row. */
const VERSION = 2;

/**
 * Writes surroundings as `surroundings.body` has them: version, counts, names, the lists upstream, chain and near. A CI is its place among the
 * names, `via` its place + 1, or 0. The buffer is made once and used for each.
 */
export class AroundPacker {
  readonly #names: CiDictionary;
  readonly #out = new ByteWriter();
  readonly #places = new DenseIds();
  /** Lists are written before the names that they name, and stand behind them. */
  readonly #lists = new ByteWriter();

  constructor(names: CiDictionary) {
    this.#names = names;
  }

  /** `nodes` are those of the lists, where they are known: names need not be looked up then. */
  pack(around: ArrivalSurroundings, nodes: NodesOfLists | null = null): Uint8Array {
    const { chain, surroundings: of } = around;
    const trails = trailsOf(around, this.#names, nodes);
    this.#places.clear();
    this.#writeList(of.upstream, trails.upstream);
    this.#writeList(chain, trails.chain);
    this.#lists.number(of.near.length);
    for (let i = 0; i < of.near.length; i++) {
      const { hops, criticalHops } = of.near[i]!;
      this.#writeNear(trails.near, i, hops);
      this.#lists.number(criticalHops);
    }
    for (const count of [VERSION, of.truncated ? 1 : 0, of.degree, of.reach2, of.reach3, of.all])
      this.#out.number(count);
    writeNames(this.#out, this.#places.numbers);
    this.#out.append(this.#lists);
    return this.#out.take();
  }

  #writeList(list: readonly NearCi[], trail: Trail): void {
    this.#lists.number(list.length);
    for (let i = 0; i < list.length; i++) this.#writeNear(trail, i, list[i]!.hops);
  }

  #writeNear(trail: Trail, i: number, hops: number): void {
    const via = viaOf(trail, i);
    const viaIn = via === -1 ? 0 : this.#places.of(via) + 1;
    this.#lists.number(this.#places.of(nodeOf(trail, i)));
    this.#lists.number(hops);
    this.#lists.number(viaIn);
  }
}

/** Makes an entry of a list from the number of the CI, hops, and the number of the CI before it or −1. */
export type MakeNear = (ci: number, hops: number, via: number) => NearCi;

const readNear = (bytes: ByteReader, numbers: readonly number[], make: MakeNear): NearCi => {
  const ci = numbers[bytes.number()]!;
  const hops = bytes.number();
  const via = bytes.number();
  return make(ci, hops, via === 0 ? -1 : numbers[via - 1]!);
};
const readList = (bytes: ByteReader, numbers: readonly number[], make: MakeNear): NearCi[] => {
  const list: NearCi[] = new Array(bytes.number());
  for (let i = 0; i < list.length; i++) list[i] = readNear(bytes, numbers, make);
  return list;
};

const MORE_COUNTS = 4;

/** Reads up to `truncated`. Throws for a row of another version. */
function readTruncated(bytes: ByteReader): boolean {
  const first = bytes.number();
  if (first !== VERSION) throw new Error(`surroundings of version ${first} cannot be read`);
  return bytes.number() === 1;
}

/** The two lists that memory holds, without the rest. */
export function unpackLists(body: Uint8Array, make: MakeNear): Lists {
  const bytes = new ByteReader(body);
  readTruncated(bytes);
  for (let i = 0; i < MORE_COUNTS; i++) bytes.number();
  const numbers = readNames(bytes);
  const upstream = readList(bytes, numbers, make);
  return { upstream, chain: readList(bytes, numbers, make) };
}

export function unpackAround(body: Uint8Array, names: CiDictionary): ArrivalSurroundings {
  const bytes = new ByteReader(body);
  const truncated = readTruncated(bytes);
  const counts = { degree: bytes.number(), reach2: bytes.number(), reach3: bytes.number(), all: bytes.number() };
  const numbers = readNames(bytes);
  const make: MakeNear = (ci, hops, via) => ({ ci: names.idOf(ci), hops, via: via === -1 ? null : names.idOf(via) });
  const upstream = readList(bytes, numbers, make);
  const chain = readList(bytes, numbers, make);
  const near: Neighbour[] = new Array(bytes.number());
  for (let i = 0; i < near.length; i++) near[i] = { ...readNear(bytes, numbers, make), criticalHops: bytes.number() };
  return { chain, surroundings: { near, truncated, ...counts, upstream } };
}
