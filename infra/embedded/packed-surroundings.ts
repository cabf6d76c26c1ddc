import type { NearCi, Neighbour, Surroundings } from '#domain/correlation/records.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import type { CiNames } from './ci-names.ts';

/** Everything about the topology around an arrival; arrivals on one CI share it while the topology stays. */
export interface Around {
  readonly chain: readonly NearCi[];
  readonly surroundings: Surroundings;
}
export interface Lists {
  readonly chain: readonly NearCi[];
  readonly upstream: readonly NearCi[];
}

const out = new ByteWriter();

/** The CIs named, each once: numbers as steps from the one before, since those met together have numbers close together. */
const writeNames = (numbers: readonly number[]): void => {
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

/**
 * As it stands in `surroundings.body`: counts, names, the lists upstream, chain and near. A CI is its place among the names, `via` its
 * place + 1, or 0.
 */
export function packAround({ chain, surroundings: of }: Around, names: CiNames): Uint8Array {
  const numbers: number[] = [];
  // By id, so that the large map of all names is asked once for each: what is before a CI stands in the same lists.
  const places = new Map<string, number>();
  const place = (id: string): number => {
    const known = places.get(id);
    if (known !== undefined) return known;
    places.set(id, numbers.length);
    return numbers.push(names.numberOf(id)) - 1;
  };
  const lists: number[] = [];
  const writeNear = ({ ci, hops, via }: NearCi): void => {
    const viaIn = via === null ? 0 : place(via) + 1;
    lists.push(place(ci), hops, viaIn);
  };
  for (const list of [of.upstream, chain]) {
    lists.push(list.length);
    list.forEach(writeNear);
  }
  lists.push(of.near.length);
  for (const near of of.near) {
    writeNear(near);
    lists.push(near.criticalHops);
  }
  for (const count of [of.truncated ? 1 : 0, of.degree, of.reach2, of.reach3, of.all]) out.number(count);
  writeNames(numbers);
  for (const number of lists) out.number(number);
  return out.take();
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

const COUNTS = 5;

/** The two lists that memory holds, without the rest. */
export function unpackLists(body: Uint8Array, make: MakeNear): Lists {
  const bytes = new ByteReader(body);
  for (let i = 0; i < COUNTS; i++) bytes.number();
  const numbers = readNames(bytes);
  const upstream = readList(bytes, numbers, make);
  return { upstream, chain: readList(bytes, numbers, make) };
}

export function unpackAround(body: Uint8Array, names: CiNames): Around {
  const bytes = new ByteReader(body);
  const truncated = bytes.number() === 1;
  const counts = { degree: bytes.number(), reach2: bytes.number(), reach3: bytes.number(), all: bytes.number() };
  const numbers = readNames(bytes);
  const make: MakeNear = (ci, hops, via) => ({ ci: names.idOf(ci), hops, via: via === -1 ? null : names.idOf(via) });
  const upstream = readList(bytes, numbers, make);
  const chain = readList(bytes, numbers, make);
  const near: Neighbour[] = new Array(bytes.number());
  for (let i = 0; i < near.length; i++) near[i] = { ...readNear(bytes, numbers, make), criticalHops: bytes.number() };
  return { chain, surroundings: { near, truncated, ...counts, upstream } };
}
