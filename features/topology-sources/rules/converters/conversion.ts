import { BuiltSet } from '#features/topology-sources/rules/built-set.ts';

/** A document of a file. */
export interface FileDocument {
  /** File name, with a line if the file has several documents. */
  readonly place: string;
  readonly value: unknown;
}

/** The file has another format than expected; the message names file and field. */
export class FormatError extends Error {
  constructor({ place }: FileDocument, expected: string, field?: string) {
    super(`${place}: ${field === undefined ? '' : `${field}: `}expected ${expected}`);
  }
}

/** CIs and relationships found in files, and the number of objects that are neither. */
export class Conversion {
  readonly set = new BuiltSet();
  readonly skipped = new Map<string, number>();

  skip(type: string): void {
    this.skipped.set(type, (this.skipped.get(type) ?? 0) + 1);
  }
}

export type Converter = (documents: readonly FileDocument[]) => Conversion;

/** Removes empty attributes. */
export const stated = (attributes: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null && value !== undefined));
