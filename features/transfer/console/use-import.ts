import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useParts } from '#console/hooks/parts.ts';
import { type ImportReport, importPart } from './api.ts';
import type { ImportKind } from './file/kinds.ts';
import { kindOf, partsOf, type ReadFile, readFile } from './parts.ts';
import { NO_REPORT, summed } from './summed.ts';

/** As much as one request may have. */
const MOST_BYTES = 64 * 1024 * 1024;

export interface ImportFile {
  readonly name: string;
  readonly file: ReadFile;
  readonly kind: ImportKind;
}

/** A file that is looked at, part by part, and then imported the same way. */
export const useImport = () => {
  const { call, handover } = useParts();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<ImportFile | null>(null);
  const [report, setReport] = useState<ImportReport | null>(null);
  const [progress, setProgress] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);

  const send = async ({ file, kind }: ImportFile, dryRun: boolean): Promise<void> => {
    setError(null);
    let sum: ImportReport = { ...NO_REPORT, dry_run: dryRun };
    try {
      for (const part of partsOf(file)) {
        setProgress(part.before / file.rows.length);
        const own = await importPart(call, kind, { format: file.format, text: part.text, dryRun });
        sum = summed(sum, own, part);
        setReport(sum);
        if (sum.stopped) break;
      }
    } catch (failure) {
      setError(failure);
    }
    setProgress(null);
    if (!dryRun) await queries.invalidateQueries();
  };
  const look = (next: ImportFile): void => {
    setChosen(next);
    setReport(null);
    void send(next, true);
  };
  const take = async (given: File | undefined): Promise<void> => {
    if (given === undefined) return;
    setReport(null);
    setChosen(null);
    setError(null);
    try {
      if (given.size > MOST_BYTES) throw new Error('A file may have 64 MiB at most');
      const file = readFile(given.name, await given.text());
      look({ name: given.name, file, kind: kindOf(file) });
    } catch (failure) {
      setError(failure);
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the page before was given is taken once.
  useEffect(() => void take(handover.take() ?? undefined), []);
  return { chosen, report, progress, error, look, take, write: (what: ImportFile) => void send(what, false) };
};

export type Importing = ReturnType<typeof useImport>;
