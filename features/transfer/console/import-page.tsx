import { Button } from '@mantine/core';
import { Tabs } from '#console/data/tabs.tsx';
import { Page } from '#console/frame/page.tsx';
import { Failure } from '#console/states/failure.tsx';
import { count, percent } from '#console/words/counts.ts';
import { Columns } from './columns.tsx';
import { DropPlace } from './file/drop-place.tsx';
import { KINDS } from './file/kinds.ts';
import classes from './import.module.css';
import { ReportView } from './report-view.tsx';
import { type ImportFile, type Importing, useImport } from './use-import.ts';

interface FileProps {
  readonly importing: Importing;
  readonly chosen: ImportFile;
}

/** The file, what it is taken for, and how far it is read. */
function ChosenFile({ importing, chosen }: FileProps) {
  const { progress, report, look } = importing;
  return (
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
  );
}

function Failed({ importing }: { readonly importing: Importing }) {
  const { error, chosen, look } = importing;
  if (error === null) return null;
  if (error instanceof Error && chosen === null)
    return (
      <p className={classes.bad} role="alert">
        {error instanceof SyntaxError ? 'The file is no JSON' : error.message}.
      </p>
    );
  return <Failure error={error} what="The file" retry={() => chosen !== null && look(chosen)} />;
}

function Found({ importing }: { readonly importing: Importing }) {
  const { report, chosen, progress, error, write } = importing;
  if (report === null) return error === null ? <Columns /> : null;
  const isDone = !report.dry_run && progress === null;
  const changes = report.created + report.updated;
  return (
    <ReportView
      report={report}
      kind={chosen?.kind ?? 'cis'}
      lines={chosen?.file.rows ?? []}
      action={
        isDone ? null : (
          <Button
            disabled={progress !== null || changes === 0 || error !== null}
            onClick={() => chosen !== null && write(chosen)}
          >
            Import {count(changes, 'row')}
          </Button>
        )
      }
    />
  );
}

/** Takes a list of CIs or relationships: what would happen is looked at first. */
export function ImportPage() {
  const importing = useImport();
  const { chosen, report, take } = importing;
  return (
    <Page
      title="Import"
      scrolls
      lead="A CSV or JSON file of what you have. First you see what would happen; nothing is written until you say so."
    >
      <DropPlace
        choose={chosen === null ? 'Choose a file' : 'Choose another file'}
        isMain={report === null}
        take={take}
      />
      {chosen === null ? null : <ChosenFile importing={importing} chosen={chosen} />}
      <Failed importing={importing} />
      <Found importing={importing} />
    </Page>
  );
}
