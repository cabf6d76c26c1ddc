import { createReadStream } from 'node:fs';
import { type SaxesAttributePlain, SaxesParser } from 'saxes';
import { CliError } from '#infra/cli/client/client.ts';

export type XmlAttributes = Readonly<Record<string, string>>;
export interface XmlElement {
  readonly name: string;
  readonly attributes: XmlAttributes;
}
/** Hears of elements in the order of the file. */
export interface XmlListener {
  opened(element: XmlElement): void;
  closed(name: string): void;
}

const MAX_FILE_BYTES = 2 * 1024 ** 3;
const MAX_DEPTH = 64;
/** Of a file between the ends of two tags: an attribute or a text that is longer is no scan. */
const MAX_PENDING = 4 * 1024 * 1024;

export const refused = (file: string, why: string): CliError =>
  new CliError(`${file} is not XML that can be read: ${why}`);

/** A document type may only have a name: nothing is loaded, and no entity is declared. */
const checkDoctype = (file: string, text: string): void => {
  if (/\[|\bSYSTEM\b|\bPUBLIC\b/.test(text)) throw refused(file, 'it declares entities or names a DTD');
};

/** Namespaces are off, so attributes are plain texts. */
const plain = (attributes: Readonly<Record<string, string | SaxesAttributePlain>>): XmlAttributes =>
  attributes as XmlAttributes;

/**
 * Reads a file piece by piece; the answer says what its end lacks, null when it is whole. Throws CliError for what is malformed, too deep or
 * too long, and for entities of its own.
 */
export async function readXml(file: string, listener: XmlListener): Promise<string | null> {
  const parser = new SaxesParser({ xmlns: false, fragment: false });
  let depth = 0;
  let pending = 0;
  let read = 0;
  let isAtEnd = false;
  let lacks: string | null = null;
  parser.on('error', (error) => {
    if (!isAtEnd) throw refused(file, error.message);
    lacks ??= error.message;
  });
  parser.on('doctype', (text) => checkDoctype(file, text));
  parser.on('opentag', ({ name, attributes }) => {
    pending = 0;
    depth += 1;
    if (depth > MAX_DEPTH) throw refused(file, `its elements are nested deeper than ${MAX_DEPTH}`);
    listener.opened({ name, attributes: plain(attributes) });
  });
  parser.on('closetag', ({ name }) => {
    pending = 0;
    depth -= 1;
    listener.closed(name);
  });
  for await (const piece of createReadStream(file, 'utf8')) {
    const text = String(piece);
    read += text.length;
    pending += text.length;
    if (read > MAX_FILE_BYTES) throw refused(file, `it is larger than ${MAX_FILE_BYTES} bytes`);
    parser.write(text);
    if (pending > MAX_PENDING) throw refused(file, `a tag or text is longer than ${MAX_PENDING} bytes`);
  }
  isAtEnd = true;
  parser.close();
  return lacks;
}
