import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CliError } from '#cli/client/client.ts';
import { errorMessage } from '#domain/fault.ts';

/** True for anything other than a file, such as a pipe or a terminal: it cannot be replaced. */
const isDevice = async (file: string): Promise<boolean> => {
  const found = await stat(file).catch((): null => null);
  return found !== null && !found.isFile();
};

/** The old content of the file stays until all of the new content is there. */
export const written = async (content: AsyncIterable<Uint8Array>, file: string): Promise<void> => {
  const part = (await isDevice(file)) ? file : `${file}.part`;
  try {
    await pipeline(Readable.from(content), createWriteStream(part));
    if (part !== file) await rename(part, file);
  } catch (error) {
    if (part !== file) await rm(part, { force: true });
    if (error instanceof CliError) throw error;
    throw new CliError(`${file} can't be written: ${errorMessage(error)}`);
  }
};
