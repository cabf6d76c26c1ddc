import { Button, Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  listVersions,
  restoreVersion,
  type SettingsHistoryPaths,
  type SettingsVersionData,
} from '#console/api/admin/settings-history.ts';
import { Timestamp } from '#console/components/timestamp.tsx';
import { showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { Region } from '#console/states/region.tsx';
import { count, inSentence } from '#console/text/counts.ts';
import { ChangesList } from '../changes-list.tsx';
import { FormDialog } from '../form-dialog.tsx';
import type { SettingsSection } from './field.ts';
import classes from './settings.module.css';
import * as text from './texts.ts';
import { versionChanges } from './version-changes.ts';

interface HistoryProps {
  readonly paths: SettingsHistoryPaths;
  /** Names of the settings. */
  readonly sections: readonly SettingsSection[];
}
interface VersionProps extends HistoryProps {
  readonly version: SettingsVersionData;
  /** Absent: the oldest known. */
  readonly before: SettingsVersionData | undefined;
  /** Null: it is the current one. */
  readonly onRestore: (() => void) | null;
}

function Version({ version: { revision, at, by, overrides }, before, sections, onRestore }: VersionProps) {
  const changes = before === undefined ? [] : versionChanges(before.overrides, overrides, sections);
  return (
    <li className={classes.version}>
      <div>
        {at === null ? text.earlierSettings : <Timestamp at={at} />}
        {by === null ? null : ` · ${by.name}`}
        {before === undefined ? null : (
          <details>
            <summary>{count(changes.length, 'change')}</summary>
            <ChangesList changes={changes} titles={[text.before, text.after]} />
          </details>
        )}
      </div>
      {onRestore === null ? (
        <span className={classes.dim}>{text.current}</span>
      ) : (
        <Button variant="default" size="compact-sm" aria-label={text.restoreVersion(revision)} onClick={onRestore}>
          {text.restore}
        </Button>
      )}
    </li>
  );
}

function RestoreDialog({
  paths,
  sections,
  current,
  version,
  onClose,
}: HistoryProps & {
  readonly current: SettingsVersionData;
  readonly version: SettingsVersionData;
  readonly onClose: () => void;
}) {
  const { call } = useAppServices();
  const queries = useQueryClient();
  const send = async (): Promise<void> => {
    await restoreVersion(call, paths, { revision: version.revision });
    showToast({ text: text.restored });
    await queries.invalidateQueries();
  };
  return (
    <FormDialog
      opened
      title={text.restoreThisVersion}
      action={text.restore}
      size="lg"
      changes={versionChanges(current.overrides, version.overrides, sections)}
      onClose={onClose}
      send={send}
    >
      {() => <p className={classes.small}>{text.restoreHint}</p>}
    </FormDialog>
  );
}

function Versions({ paths, sections }: HistoryProps) {
  const may = useMay('settings.manage');
  const [restoring, setRestoring] = useState<SettingsVersionData | null>(null);
  const versions = useRead(['settings-history', paths.list], (call, signal) => listVersions(call, paths, signal));
  const [current] = versions.data ?? [];
  return (
    <>
      <Region query={versions} what={inSentence(text.history)}>
        {(rows) =>
          rows.length === 0 ? (
            <p className={classes.dim}>{text.noHistory}</p>
          ) : (
            <ol className={classes.versions} aria-label={text.history}>
              {rows.map((version, n) => (
                <Version
                  key={version.revision}
                  paths={paths}
                  sections={sections}
                  version={version}
                  before={rows[n + 1]}
                  onRestore={n === 0 || !may ? null : () => setRestoring(version)}
                />
              ))}
            </ol>
          )
        }
      </Region>
      {restoring === null || current === undefined ? null : (
        <RestoreDialog
          paths={paths}
          sections={sections}
          current={current}
          version={restoring}
          onClose={() => setRestoring(null)}
        />
      )}
    </>
  );
}

/** A button that opens the versions of settings, each with its changes. */
export function SettingsHistory({ paths, sections, title }: HistoryProps & { readonly title: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {title}
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={title} size="lg">
        <Versions paths={paths} sections={sections} />
      </Modal>
    </>
  );
}
