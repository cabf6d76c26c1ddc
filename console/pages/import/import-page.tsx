import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useRef, useState } from 'react';
import { type ImportKind, type ImportReport, importPart } from '#console/api/cmdb/transfer.ts';
import { Tabs } from '#console/data/tabs.tsx';
import { Page } from '#console/frame/page.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { Failure } from '#console/states/failure.tsx';
import { count, percent } from '#console/words/counts.ts';
import classes from './import.module.css';
import { kindOf, partsOf, type ReadFile, readFile } from './parts.ts';
import { ReportView } from './report-view.tsx';
import { NO_REPORT, summed } from './summed.ts';
import { addressOfTemplate, TEMPLATES } from './templates.ts';

/** As much as one request may have. */
const MOST_BYTES = 64 * 1024 * 1024;
const KINDS = [
  { value: 'cis', words: 'CIs' },
  { value: 'relationships', words: 'Relationships' },
] as const;

interface Chosen {
  readonly name: string;
  readonly file: ReadFile;
  readonly kind: ImportKind;
}

/** Takes a list of CIs or relationships: what would happen is looked at first. */
export function ImportPage() {
  const { call } = useParts();
  const queries = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [report, setReport] = useState<ImportReport | null>(null);
  const [progress, setProgress] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isOver, setOver] = useState(false);

  const send = async ({ file, kind }: Chosen, dryRun: boolean): Promise<void> => {
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
  const look = (next: Chosen): void => {
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
  const dropped = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  };

  const isDone = report !== null && !report.dry_run && progress === null;
  const changes = report === null ? 0 : report.created + report.updated;
  return (
    <Page
      title="Import"
      scrolls
      lead="A CSV or JSON file of what you have. First you see what would happen; nothing is written until you say so."
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is one way more; the button is the other. */}
      <div
        className={classes.drop}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={dropped}
      >
        <input
          ref={input}
          type="file"
          className={classes.file}
          aria-label="File of CIs or relationships"
          accept=".csv,.json,.jsonl,.ndjson"
          onChange={({ currentTarget }) => {
            void take(currentTarget.files?.[0]);
            currentTarget.value = '';
          }}
        />
        <Button variant={report === null ? 'filled' : 'default'} onClick={() => input.current?.click()}>
          {chosen === null ? 'Choose a file' : 'Choose another file'}
        </Button>
        <span className={classes.dim}>or drop one here</span>
        <span className={classes.templates}>
          Templates:{' '}
          {KINDS.map(({ value, words }) => (
            <a
              key={value}
              className={classes.template}
              href={addressOfTemplate(value)}
              download={TEMPLATES[value].name}
            >
              {words}
            </a>
          ))}
        </span>
      </div>
      {chosen === null ? null : (
        <div className={classes.chosen}>
          <strong className={classes.name}>{chosen.name}</strong>
          <span className={classes.dim}>{count(chosen.file.rows.length, 'row')} of</span>
          <Tabs
            label="What the file has"
            value={chosen.kind}
            tabs={KINDS}
            onChange={(kind) => progress === null && look({ ...chosen, kind })}
          />
          {progress === null ? null : (
            <span className={classes.progress} role="status">
              <progress value={progress} max={1} aria-label="Progress" />
              {percent(progress)} {report?.dry_run === false ? 'imported' : 'looked at'}
            </span>
          )}
        </div>
      )}
      {error === null ? null : error instanceof Error && chosen === null ? (
        <p className={classes.bad} role="alert">
          {error instanceof SyntaxError ? 'The file is no JSON' : error.message}.
        </p>
      ) : (
        <Failure error={error} what="The file" retry={() => chosen !== null && look(chosen)} />
      )}
      {report === null ? null : (
        <ReportView
          report={report}
          kind={chosen?.kind ?? 'cis'}
          lines={chosen?.file.rows ?? []}
          action={
            isDone ? null : (
              <Button
                disabled={progress !== null || changes === 0 || error !== null}
                onClick={() => chosen !== null && void send(chosen, false)}
              >
                Import {count(changes, 'row')}
              </Button>
            )
          }
        />
      )}
      {report === null && error === null ? <Columns /> : null}
    </Page>
  );
}

/** What a file may have, for those who make one. */
function Columns() {
  return (
    <section className={classes.columns}>
      <h2 className={classes.columnsHead}>What the columns mean</h2>
      <dl>
        <dt>CIs</dt>
        <dd>
          <code>name</code> and <code>type</code>, or <code>external_key</code>, say which CI a row means; one that is
          there is changed, else a new one is made. <code>attributes.ip_address</code>, <code>attributes.hostname</code>{' '}
          and <code>attributes.fqdn</code> are what events are found by. An empty cell changes nothing.
        </dd>
        <dt>Relationships</dt>
        <dd>
          <code>source_ci</code> depends on <code>target_ci</code>; both are a name, an external key or an id. Usual
          types are <code>depends_on</code>, <code>runs_on</code>, <code>hosted_on</code>, <code>powered_by</code>,{' '}
          <code>located_in</code>.
        </dd>
      </dl>
    </section>
  );
}
