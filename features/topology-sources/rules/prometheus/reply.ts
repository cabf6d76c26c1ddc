/** The reply of a Prometheus server to an instant query. */

import type { Stepwise } from '#domain/ports/clock.ts';
import { isRecord } from '#domain/record-of.ts';
import type { LabelledValue } from './queries.ts';

const textsOf = (metric: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(metric).filter((pair): pair is [string, string] => typeof pair[1] === 'string'));

const seriesOf = (result: readonly unknown[]): LabelledValue[] =>
  result.flatMap((one): LabelledValue[] => {
    if (!isRecord(one) || !isRecord(one.metric) || !Array.isArray(one.value)) return [];
    return [{ labels: textsOf(one.metric), value: Number(one.value[1]) }];
  });

function wholeReply(body: string): LabelledValue[] {
  const reply: unknown = JSON.parse(body);
  if (!isRecord(reply) || !isRecord(reply.data)) throw new Error('expected the JSON reply of a Prometheus server');
  const { resultType, result } = reply.data;
  if (reply.status !== 'success' || resultType !== 'vector' || !Array.isArray(result))
    throw new Error('expected an instant vector');
  return seriesOf(result);
}

/** The start of a reply up to its first series, as Prometheus writes it. */
const START = '{"status":"success","data":{"resultType":"vector","result":[';
/** Quotes within a label are escaped, so this occurs between two series only. */
const BETWEEN = '},{"metric":';
/** Characters to parse at a time. */
const PIECE = 65_536;

/** Returns the ends of pieces, each between two series. */
function* endsOfPieces(body: string): Generator<number> {
  for (let from = START.length; ; ) {
    const end = body.indexOf(BETWEEN, from + PIECE);
    if (end === -1) return;
    yield end + 1;
    from = end + 2;
  }
}

/** Returns the series of a vector. Throws Error for other results. */
export function* seriesIn(body: string): Stepwise<LabelledValue[]> {
  if (!body.startsWith(START)) return wholeReply(body);
  const found: LabelledValue[] = [];
  let from = START.length;
  for (const end of endsOfPieces(body)) {
    for (const one of seriesOf(JSON.parse(`[${body.slice(from, end)}]`) as unknown[])) found.push(one);
    from = end + 1;
    yield;
  }
  // The remainder is parsed as a whole reply, which fails if the body was cut off.
  for (const one of wholeReply(START + body.slice(from))) found.push(one);
  return found;
}

const TIME = /"value":\[([\d.e+]{1,30}),/;

/** Hashes a reply while it arrives, without the time of its values, which differs in each reply. */
export class ReplyHash {
  readonly #sha256: (text: string) => string;
  #hash = '';
  #rest = '';
  #time: string | null = null;

  constructor(sha256: (text: string) => string) {
    this.#sha256 = sha256;
  }

  /** `text`: bytes as Latin-1, because a chunk may end within a character. */
  add(text: string): void {
    this.#rest += text;
    // Pieces end at the same places however the bytes arrive.
    for (let end = this.#end(); end !== -1; end = this.#end()) {
      this.#take(this.#rest.slice(0, end));
      this.#rest = this.#rest.slice(end);
    }
  }

  digest(): string {
    this.#take(this.#rest);
    return this.#hash;
  }

  #end(): number {
    const found = this.#rest.length > PIECE ? this.#rest.indexOf(BETWEEN, PIECE) : -1;
    return found === -1 ? -1 : found + 1;
  }

  #take(piece: string): void {
    this.#time ??= TIME.exec(piece)?.[1] ?? '';
    const timeless = this.#time === '' ? piece : piece.replaceAll(`[${this.#time},`, '[');
    this.#hash = this.#sha256(this.#hash + timeless);
  }
}

/** Reads the error message of a Prometheus server; null: the body has none. */
export function errorIn(body: string): string | null {
  try {
    const reply: unknown = JSON.parse(body);
    return isRecord(reply) && typeof reply.error === 'string' ? reply.error.slice(0, 200) : null;
  } catch {
    return null;
  }
}
