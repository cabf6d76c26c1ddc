import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from '#api/http/input/json-bytes.ts';
import { byteAt } from '#domain/assert.ts';
import { Fault, invalid } from '#domain/fault.ts';

const FIRST_BYTES = 1_024;

/** Bytes that are gathered, up to a bound. */
class ByteSink {
  readonly #max: number;
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  length = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Throws Fault `too-large` beyond the bound. */
  append(chunk: Uint8Array, from: number, to: number): void {
    const length = this.length + to - from;
    if (length > this.#max)
      throw new Fault('too-large', `Expected at most ${this.#max} bytes`, [
        { field: 'body', reason: `expected at most ${this.#max} bytes in addition to the hosts` },
      ]);
    if (length > this.#bytes.length) this.#grow(length);
    this.#bytes.set(chunk.subarray(from, to), this.length);
    this.length = length;
  }

  text(from: number, to: number): string {
    return this.#bytes.toString('utf8', from, to);
  }

  /** Valid until the next append. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
  }

  #grow(length: number): void {
    const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#bytes.length));
    larger.set(this.view());
    this.#bytes = larger;
  }
}

const BLANK = 0x20;
const ZERO = Buffer.from('0');

const opens = (byte: number): boolean => byte === OPEN_BRACE || byte === OPEN_BRACKET;
const closes = (byte: number): boolean => byte === CLOSE_BRACE || byte === CLOSE_BRACKET;

export interface ElementLimits {
  /** Limit of one element; a larger one arrives as null. */
  readonly elementBytes: number;
  /** Limit of the document without its elements. */
  readonly restBytes: number;
  readonly elements: number;
}

/** Finds the bounds of the elements of one JSON array that arrives in pieces, with one element in memory; the parser validates them. */
export class JsonElements {
  readonly #path: readonly string[];
  readonly #limits: ElementLimits;
  readonly #rest: ByteSink;
  readonly #element: ByteSink;
  /** State of the rest; the name of each level. */
  #depth = 0;
  readonly #names: (string | undefined)[] = [];
  #stringAt = 0;
  #stringEnd = 0;
  #inString = false;
  #escaped = false;
  /** State within the array: depth below it, whether anything but blanks arrived, whether it is too large. */
  #inArray = false;
  #below = 0;
  #begun = false;
  #tooLarge = false;
  #count = 0;

  /** `path`: names of objects that lead to the array. */
  constructor(path: readonly string[], limits: ElementLimits) {
    this.#path = path;
    this.#limits = limits;
    this.#rest = new ByteSink(limits.restBytes);
    this.#element = new ByteSink(limits.elementBytes);
  }

  /** The elements that this piece completes: their bytes, valid until the next one is asked for, or null for one that is too large. */
  *push(chunk: Uint8Array): Generator<Buffer | null> {
    let from = 0;
    for (let i = 0; i < chunk.length; i++) {
      if (this.#inString) i = this.#pastText(chunk, i);
      else if (this.#inArray) i = this.#pastPlain(chunk, i);
      const byte = chunk[i];
      if (byte === undefined) break;
      if (this.#inString) this.#string(byte, i - from);
      else if (byte === QUOTE) {
        this.#inString = true;
        this.#begun = true;
        this.#stringAt = this.#rest.length + i - from;
      } else if (!this.#inArray) {
        if (!this.#outside(byte, chunk, from, i)) continue;
        from = i + 1;
      } else {
        this.#take(chunk, from, i);
        if (this.#begun) yield this.#finished();
        this.#leave(byte, chunk, i);
        from = i + 1;
      }
    }
    if (this.#inArray) this.#take(chunk, from, chunk.length);
    else this.#rest.append(chunk, from, chunk.length);
  }

  /** The rest of the document, with a number in the place of each element. */
  rest(): string {
    return this.#rest.text(0, this.#rest.length);
  }

  #string(byte: number, offset: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) {
      this.#inString = false;
      this.#stringEnd = this.#rest.length + offset + 1;
    }
  }

  /** True when the array begins with this byte; all before it, itself included, is then in the rest. */
  #outside(byte: number, chunk: Uint8Array, from: number, at: number): boolean {
    if (byte === COLON && this.#depth <= this.#path.length) this.#names[this.#depth] = this.#name(chunk, from, at);
    else if (opens(byte)) {
      const isArray = byte === OPEN_BRACKET && this.#isPath();
      this.#depth += 1;
      this.#names[this.#depth] = undefined;
      if (!isArray) return false;
      this.#rest.append(chunk, from, at + 1);
      this.#inArray = true;
      this.#restart();
      return true;
    } else if (closes(byte)) this.#depth -= 1;
    return false;
  }

  #isPath(): boolean {
    return this.#depth === this.#path.length && this.#path.every((name, i) => this.#names[i + 1] === name);
  }

  #name(chunk: Uint8Array, from: number, at: number): string | undefined {
    const before = this.#rest.length;
    const text =
      this.#stringEnd <= before
        ? this.#rest.text(this.#stringAt, this.#stringEnd)
        : this.#acrossPieces(chunk, from, at, before);
    return /^"[\w.]*"$/.test(text) ? text.slice(1, -1) : undefined;
  }

  #acrossPieces(chunk: Uint8Array, from: number, at: number, before: number): string {
    const here = Buffer.from(chunk.buffer, chunk.byteOffset + from, at - from);
    const start = this.#stringAt - before;
    const end = this.#stringEnd - before;
    return start >= 0
      ? here.toString('utf8', start, end)
      : this.#rest.text(this.#stringAt, before) + here.toString('utf8', 0, end);
  }

  /** The next byte of a text that means something: nearly all do not. */
  #pastText(chunk: Uint8Array, from: number): number {
    if (this.#escaped) return from;
    let i = from;
    while (i < chunk.length && chunk[i] !== QUOTE && chunk[i] !== BACKSLASH) i++;
    return i;
  }

  /** The next quote within an element, or the comma or bracket behind it. */
  #pastPlain(chunk: Uint8Array, from: number): number {
    let below = this.#below;
    let begun = this.#begun;
    let i = from;
    for (; i < chunk.length; i++) {
      const byte = byteAt(chunk, i);
      if (byte === QUOTE || (below === 0 && (byte === COMMA || byte === CLOSE_BRACKET))) break;
      if (opens(byte)) below += 1;
      else if (closes(byte)) below -= 1;
      if (byte > BLANK) begun = true;
    }
    this.#below = below;
    this.#begun = begun;
    return i;
  }

  #take(chunk: Uint8Array, from: number, to: number): void {
    if (this.#tooLarge) return;
    if (this.#element.length + to - from > this.#limits.elementBytes) this.#tooLarge = true;
    else this.#element.append(chunk, from, to);
  }

  #finished(): Buffer | null {
    this.#count += 1;
    if (this.#count > this.#limits.elements)
      throw invalid(this.#path.join('.'), `expected at most ${this.#limits.elements} elements`);
    return this.#tooLarge ? null : this.#element.view();
  }

  /** State after an element: its place in the rest, and the following comma or bracket. */
  #leave(byte: number, chunk: Uint8Array, at: number): void {
    if (this.#begun) this.#rest.append(ZERO, 0, 1);
    this.#rest.append(chunk, at, at + 1);
    this.#restart();
    if (byte !== CLOSE_BRACKET) return;
    this.#inArray = false;
    this.#depth -= 1;
  }

  #restart(): void {
    this.#element.clear();
    this.#below = 0;
    this.#begun = false;
    this.#tooLarge = false;
  }
}
