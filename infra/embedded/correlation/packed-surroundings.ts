import { byteAt } from '#domain/assert.ts';
import { nodeOf, viaOf } from '#domain/topology/graph/arrival-topology.ts';
import { type NearCi, type Neighbour, NO_WHOLES, type Surroundings, type WholeCi } from '#domain/topology/near.ts';
import type { NodesOfLists } from '#infra/embedded/topology/cache.ts';
import type { CiDictionary } from './ci-dictionary.ts';

const FIRST_SIZE = 16_384;

/**
 * Writes whole numbers from 0 to 2^53 one after the other, seven bits a byte, low ones first: small numbers use one
 * byte.
 */
export class ByteWriter {
  #bytes = new Uint8Array(FIRST_SIZE);
  #length = 0;

  number(value: number): void {
    if (this.#length + 8 > this.#bytes.length) this.#grow(8);
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) this.#bytes[this.#length++] = (rest % 128) | 128;
    this.#bytes[this.#length++] = rest;
  }

  /** Reads the bytes of the writer; its next number is the first again. */
  append(other: ByteWriter): void {
    if (this.#length + other.#length > this.#bytes.length) this.#grow(other.#length);
    this.#bytes.set(other.#bytes.subarray(0, other.#length), this.#length);
    this.#length += other.#length;
    other.#length = 0;
  }

  /** A copy of the written bytes; the next number is the first again. */
  take(): Uint8Array {
    const taken = Buffer.from(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
    return taken;
  }

  #grow(room: number): void {
    const larger = new Uint8Array(2 * this.#bytes.length + room);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** Reads what a `ByteWriter` wrote, in its order. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  number(): number {
    let byte = byteAt(this.#bytes, this.#at++);
    if (byte < 128) return byte;
    let value = byte - 128;
    for (let unit = 128; ; unit *= 128) {
      byte = byteAt(this.#bytes, this.#at++);
      if (byte < 128) return value + byte * unit;
      value += (byte - 128) * unit;
    }
  }
}

const FIRST_SLOTS = 1_024;
const LAST_STAMP = 2 ** 31 - 1;

/** Maps numbers from 0 to 2^31 − 1 to ids 0, 1, 2 … in the order of their first use. Reusable without garbage. */
export class DenseIds {
  /** The number of each id. */
  numbers: number[] = [];
  /** Ids by slot; slots of earlier uses have an older stamp. */
  #slots = new Int32Array(FIRST_SLOTS);
  #stamps = new Int32Array(FIRST_SLOTS);
  #stamp = 1;

  clear(): void {
    this.numbers = [];
    if (this.#stamp === LAST_STAMP) {
      this.#stamps.fill(0);
      this.#stamp = 0;
    }
    this.#stamp += 1;
  }

  /** A new number gets the next id. */
  of(number: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = Math.imul(number, 0x9e3779b1) >>> 7; ; slot++) {
      const at = slot & mask;
      if (this.#stamps[at] !== this.#stamp) return this.#add(number, at);
      const id = this.#slots[at]!;
      if (this.numbers[id] === number) return id;
    }
  }

  #add(number: number, at: number): number {
    const id = this.numbers.push(number) - 1;
    this.#stamps[at] = this.#stamp;
    this.#slots[at] = id;
    if (2 * this.numbers.length > this.#slots.length) this.#grow();
    return id;
  }

  #grow(): void {
    const { numbers } = this;
    this.#slots = new Int32Array(2 * this.#slots.length);
    this.#stamps = new Int32Array(this.#slots.length);
    this.clear();
    for (const number of numbers) this.of(number);
  }
}

/** Everything about the topology around an arrival; arrivals on one CI share it while the topology stays. */
export interface ArrivalSurroundings {
  readonly chain: readonly NearCi[];
  readonly surroundings: Surroundings;
}
export interface Lists {
  readonly chain: readonly NearCi[];
  readonly upstream: readonly NearCi[];
  readonly wholes: readonly WholeCi[];
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
const VERSION = 3;
/** Last version in which wholes were not stored. */
const WITHOUT_WHOLES = 2;

/**
 * Writes surroundings as `surroundings.body` has them: version, counts, names, the lists upstream, chain, wholes and near. A CI is its place among the
 * names, `via` its place + 1, or 0. The buffer is made once and used for each.
 */
export class AroundPacker {
  readonly #names: CiDictionary;
  readonly #out = new ByteWriter();
  readonly #places = new DenseIds();
  /** Lists are written before the names that they refer to, and are stored behind them. */
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
    this.#writeWholes(of.wholes ?? NO_WHOLES);
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

  #writeWholes(wholes: readonly WholeCi[]): void {
    this.#lists.number(wholes.length);
    for (const { ci, parts } of wholes) {
      this.#lists.number(this.#places.of(this.#names.numberOf(ci)));
      this.#lists.number(parts);
    }
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

const readWholes = (bytes: ByteReader, numbers: readonly number[], idOf: (ci: number) => string): WholeCi[] => {
  const wholes: WholeCi[] = new Array(bytes.number());
  for (let i = 0; i < wholes.length; i++) wholes[i] = { ci: idOf(numbers[bytes.number()]!), parts: bytes.number() };
  return wholes;
};

/** Reads up to `truncated`. Throws for a row of a version that is not known. */
function readHead(bytes: ByteReader): { readonly hasWholes: boolean; readonly truncated: boolean } {
  const version = bytes.number();
  if (version !== VERSION && version !== WITHOUT_WHOLES)
    throw new Error(`surroundings of version ${version} can't be read`);
  return { hasWholes: version === VERSION, truncated: bytes.number() === 1 };
}

/** Returns the lists held in memory, without the rest. */
export function unpackLists(body: Uint8Array, make: MakeNear, idOf: (ci: number) => string): Lists {
  const bytes = new ByteReader(body);
  const { hasWholes } = readHead(bytes);
  for (let i = 0; i < MORE_COUNTS; i++) bytes.number();
  const numbers = readNames(bytes);
  const upstream = readList(bytes, numbers, make);
  const chain = readList(bytes, numbers, make);
  return { upstream, chain, wholes: hasWholes ? readWholes(bytes, numbers, idOf) : NO_WHOLES };
}

export function unpackAround(body: Uint8Array, names: CiDictionary): ArrivalSurroundings {
  const bytes = new ByteReader(body);
  const { hasWholes, truncated } = readHead(bytes);
  const counts = { degree: bytes.number(), reach2: bytes.number(), reach3: bytes.number(), all: bytes.number() };
  const numbers = readNames(bytes);
  const make: MakeNear = (ci, hops, via) => ({ ci: names.idOf(ci), hops, via: via === -1 ? null : names.idOf(via) });
  const upstream = readList(bytes, numbers, make);
  const chain = readList(bytes, numbers, make);
  const wholes = hasWholes ? readWholes(bytes, numbers, (ci) => names.idOf(ci)) : NO_WHOLES;
  const near: Neighbour[] = new Array(bytes.number());
  for (let i = 0; i < near.length; i++) near[i] = { ...readNear(bytes, numbers, make), criticalHops: bytes.number() };
  const surroundings = { near, truncated, ...counts, upstream, ...(wholes.length > 0 && { wholes }) };
  return { chain, surroundings };
}
