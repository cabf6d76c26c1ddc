import { Button, Group, Modal, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { isProblem } from '#console/api/link/problem.ts';
import forms from '#console/forms/forms.module.css';
import { refusalWords } from '#console/text/refusal-text.ts';
import { ConflictChoice } from '../conflict-choice.tsx';
import { DifferenceList } from './changes-part.tsx';
import { type Draft, differences, overtaken, said, valueAt } from './draft.ts';
import type { Field, SettingsSection } from './field.ts';
import classes from './settings.module.css';
import * as text from './texts.ts';

/** Current settings on the server, with the version that a change of them is based on. */
export interface StandingSettings<V> {
  readonly effective: unknown;
  readonly version: V;
}

interface Props<V> {
  readonly opened: boolean;
  readonly sections: readonly SettingsSection[];
  readonly draft: Draft;
  /** The values when the wishes were made. */
  readonly before: unknown;
  /** Text on trials; empty: none are possible. */
  readonly tried: readonly ReactNode[];
  /** Time from which they apply. */
  readonly counts?: string;
  readonly version: V;
  readonly readNow: () => Promise<StandingSettings<V>>;
  /** Throws a problem with status 412 when `version` is not the current one any more. */
  readonly save: (draft: Draft, version: V) => Promise<unknown>;
  /** Applies the settings that another user has saved. */
  readonly onNewer: (stands: StandingSettings<V>, draft: Draft) => void;
  readonly onClose: () => void;
}

const fieldOf = (sections: readonly SettingsSection[], path: string): Field | undefined =>
  sections
    .flatMap(({ rows }) => rows)
    .flatMap(({ fields }) => fields)
    .find((field) => field.path === path);

interface Conflict<V> {
  readonly stands: StandingSettings<V>;
  readonly paths: readonly string[];
}

const ARRIVALS = text.appliesNewEventsExisting;

/** Shows the changes once more; after a concurrent change, both versions. */
export function SaveDialog<V>(props: Props<V>) {
  const { opened, sections, draft, before, tried, counts = ARRIVALS, version, readNow, save, onNewer, onClose } = props;
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [conflict, setConflict] = useState<Conflict<V> | null>(null);
  const listed = differences(draft, before, sections);

  /** Others may have changed something else meanwhile: that stays, and this is saved beside it. */
  const attempt = async (on: V, tries = 2): Promise<void> => {
    try {
      await save(draft, on);
    } catch (caught) {
      if (!isProblem(caught, 412) || tries === 0) throw caught;
      const stands = await readNow();
      const paths = overtaken(draft, before, stands.effective);
      if (paths.length > 0) setConflict({ stands, paths });
      else await attempt(stands.version, tries - 1);
    }
  };
  const submit = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await attempt(version);
    } catch (caught) {
      setError(refusalWords(caught, (path) => fieldOf(sections, path)?.words));
    } finally {
      setBusy(false);
    }
  };
  const keep = (path: string, isMine: boolean): void => {
    if (conflict === null) return;
    const { [path]: mine, ...others } = draft;
    onNewer(conflict.stands, isMine && mine !== undefined ? { ...others, [path]: mine } : others);
    const paths = conflict.paths.filter((one) => one !== path);
    setConflict(paths.length === 0 ? null : { ...conflict, paths });
  };
  const clashes = (conflict?.paths ?? []).flatMap((path) => {
    const mine = listed.find((one) => one.path === path);
    const field = fieldOf(sections, path);
    if (mine === undefined || field === undefined) return [];
    return [
      { id: path, words: mine.words, mine: mine.after, theirs: said(field, valueAt(conflict?.stands.effective, path)) },
    ];
  });

  return (
    <Modal opened={opened} onClose={onClose} title={text.saveSettings} size="lg">
      <Stack gap="md">
        {conflict === null ? <DifferenceList differences={listed} /> : <ConflictChoice clashes={clashes} keep={keep} />}
        {tried.length === 0 ? null : <p className={classes.small}>{tried}</p>}
        <p className={classes.small}>{counts}</p>
        {error === null ? null : (
          <p className={forms.caution} role="alert">
            {error}
          </p>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {text.cancel}
          </Button>
          <Button
            loading={isBusy}
            disabled={conflict !== null || listed.length === 0}
            onClick={() => void submit()}
            data-autofocus
          >
            {text.saveNow}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
