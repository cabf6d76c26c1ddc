import { type Document, LineCounter, parseAllDocuments, parseDocument } from 'yaml';
import { CliError } from '#cli/client/client.ts';
import type { FileDocument } from '#features/topology-sources/rules/converters/conversion.ts';
import { contentOf } from './sync-request.ts';

/** The error of `JSON.parse` has no position in short texts. */
const jsonError = (text: string, error: unknown): string =>
  parseDocument(text).errors[0]?.message.split('\n', 1)[0] ?? (error as Error).message;

/** Throws CliError with file and position. */
export function jsonDocuments(file: string): readonly FileDocument[] {
  const text = contentOf(file);
  try {
    return [{ place: file, value: JSON.parse(text) }];
  } catch (error) {
    throw new CliError(`${file} is not valid JSON: ${jsonError(text, error)}`);
  }
}

function yamlValue(file: string, document: Document.Parsed): unknown {
  const [error] = document.errors;
  try {
    if (error === undefined) return document.toJS({ maxAliasCount: 100 });
  } catch (tooMany) {
    throw new CliError(`${file} is not valid YAML: ${(tooMany as Error).message}`);
  }
  throw new CliError(`${file} is not valid YAML: ${error.message}`);
}

/** Reads all documents of a YAML or JSON file. Throws CliError with file and line. */
export function yamlDocuments(file: string): readonly FileDocument[] {
  const lines = new LineCounter();
  const documents = parseAllDocuments(contentOf(file), { lineCounter: lines });
  if ('empty' in documents) return [];
  return documents.map((document) => {
    const { line } = lines.linePos(document.contents?.range[0] ?? document.range[0]);
    return { place: documents.length > 1 ? `${file}:${line}` : file, value: yamlValue(file, document) };
  });
}
