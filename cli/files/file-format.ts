import { extname } from 'node:path';
import { CliError } from '#cli/client/client.ts';

export const FORMATS = ['csv', 'jsonl'] as const;
export type FileFormat = (typeof FORMATS)[number];

/** Returns the requested format, else that of the file name. */
export const formatOf = (file: string, asked: FileFormat | undefined): FileFormat => {
  if (asked !== undefined) return asked;
  const extension = extname(file).toLowerCase();
  if (extension === '.csv') return 'csv';
  if (['.jsonl', '.ndjson', '.json'].includes(extension)) return 'jsonl';
  throw new CliError(`${file} is neither .csv nor .jsonl; pass --format`);
};
