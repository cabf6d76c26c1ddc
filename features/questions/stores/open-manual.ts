import { readFile } from 'node:fs/promises';
import { type Manual, type Passage, passagesOf } from '#features/questions/rules/answers/manual.ts';

const PAGES = new URL('../../../docs/', import.meta.url);
/** Pages for users of the console. */
const READ = ['glossary.md', 'console.md', 'services.md'];

/** The documentation of this version, read at the first question. */
export function openManual(): Manual {
  let read: Promise<readonly Passage[]> | null = null;
  const passages = async (): Promise<readonly Passage[]> =>
    (await Promise.all(READ.map((name) => readFile(new URL(name, PAGES), 'utf8')))).flatMap(passagesOf);
  return {
    passages: () => {
      read ??= passages();
      return read;
    },
  };
}
