/**
 * Preloaded into a server, as `--import ./bench/durability-variants.ts?NAME`, in all its threads: changes the durable path to another one
 * that could take its place. The product knows none of them.
 */
import { registerHooks } from 'node:module';

interface Patch {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const JOURNAL = '/infra/embedded/journal/';
const PATCHES: Readonly<Record<string, readonly Patch[]>> = {
  'one-thread': [
    {
      file: `${JOURNAL}writer.ts`,
      from: 'path === null ? new MemoryWriter(here, events) : new ThreadWriter(path, events)',
      to: 'new MemoryWriter(here, events)',
    },
  ],
  'no-checkpoint-thread': [
    { file: `${JOURNAL}apply-thread.ts`, from: 'wal_autocheckpoint = 0', to: 'wal_autocheckpoint = 30000' },
    { file: `${JOURNAL}apply-thread.ts`, from: 'checkpoints.committed();', to: '' },
  ],
  'no-journal-thread': [
    {
      file: `${JOURNAL}writer.ts`,
      from: 'new ThreadWriter(path, events)',
      to: 'new LibuvWriter(path, events)',
    },
    {
      file: `${JOURNAL}writer.ts`,
      from: 'import { execute,',
      to: "import { LibuvWriter } from '../../../bench/journal-by-libuv.ts';\nimport { execute,",
    },
  ],
  'journal-of-rows': [
    {
      file: `${JOURNAL}journal-thread.ts`,
      from: "from './journal-file.ts'",
      to: "from '../../../bench/journal-rows.ts'",
    },
  ],
};

const patches = PATCHES[new URL(import.meta.url).search.slice(1)] ?? [];

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    const wanted = patches.filter(({ file }) => url.endsWith(file));
    if (wanted.length === 0) return loaded;
    let source = String(loaded.source);
    for (const { file, from, to } of wanted) {
      if (!source.includes(from)) throw new Error(`${file} has no longer: ${from}`);
      source = source.replace(from, to);
    }
    return { ...loaded, source };
  },
});
