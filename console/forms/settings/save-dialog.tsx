import { Button, Group, Modal, Stack } from '@mantine/core';
import { useState } from 'react';
import { isProblem } from '#console/api/link/problem.ts';
import { DifferenceList } from './changes-part.tsx';
import { type Difference, type Draft, differences, overtaken, said, valueAt } from './draft.ts';
import type { Field, Section } from './field.ts';
import classes from './settings.module.css';

interface Props {
  readonly opened: boolean;
  readonly sections: readonly Section[];
  readonly draft: Draft;
  /** What stood when the wishes were made. */
  readonly before: unknown;
  /** Whether it was tried, in words; null: it cannot be. */
  readonly tried: string | null;
  /** From when on they count. */
  readonly counts?: string;
  readonly readNow: () => Promise<unknown>;
  readonly save: (draft: Draft) => Promise<unknown>;
  /** Takes over what somebody else has saved. */
  readonly onNewer: (now: unknown, draft: Draft) => void;
  readonly onClose: () => void;
}

const fieldOf = (sections: readonly Section[], path: string): Field | undefined =>
  sections
    .flatMap(({ rows }) => rows)
    .flatMap(({ fields }) => fields)
    .find((field) => field.path === path);

interface Conflict {
  readonly now: unknown;
  readonly paths: readonly string[];
}

function Conflicts({
  conflict,
  differences: all,
  sections,
  keep,
}: {
  readonly conflict: Conflict;
  readonly differences: readonly Difference[];
  readonly sections: readonly Section[];
  readonly keep: (path: string, isMine: boolean) => void;
}) {
  return (
    <Stack gap="sm" role="alert">
      <p className={classes.caution}>Somebody else has changed the same meanwhile. Choose for each which one counts.</p>
      {conflict.paths.map((path) => {
        const mine = all.find((one) => one.path === path);
        const field = fieldOf(sections, path);
        if (mine === undefined || field === undefined) return null;
        return (
          <div key={path} className={classes.ways}>
            <span>{mine.words}</span>
            <Button variant="default" onClick={() => keep(path, true)}>
              Yours: {mine.after}
            </Button>
            <Button variant="default" onClick={() => keep(path, false)}>
              Theirs: {said(field, valueAt(conflict.now, path))}
            </Button>
          </div>
        );
      })}
    </Stack>
  );
}

const ARRIVALS = 'They count for what arrives from then on; groups that are there stay as they are.';

/** Shows once more what will be otherwise; when somebody was quicker, both versions. */
export function SaveDialog({
  opened,
  sections,
  draft,
  before,
  tried,
  counts = ARRIVALS,
  readNow,
  save,
  onNewer,
  onClose,
}: Props) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const listed = differences(draft, before, sections);

  const submit = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const now = await readNow();
      const paths = overtaken(draft, before, now);
      if (paths.length > 0) setConflict({ now, paths });
      else await save(draft);
    } catch (caught) {
      if (isProblem(caught, 409, 412))
        setError('Somebody else saved at the same moment. Save again to see what they changed.');
      else setError(caught instanceof Error ? caught.message : String(caught));
    } finally {
      setBusy(false);
    }
  };
  const keep = (path: string, isMine: boolean): void => {
    if (conflict === null) return;
    const { [path]: mine, ...others } = draft;
    onNewer(conflict.now, isMine && mine !== undefined ? { ...others, [path]: mine } : others);
    const paths = conflict.paths.filter((one) => one !== path);
    setConflict(paths.length === 0 ? null : { ...conflict, paths });
  };

  return (
    <Modal opened={opened} onClose={onClose} title="Save the settings" size="lg">
      <Stack gap="md">
        {conflict === null ? (
          <DifferenceList differences={listed} />
        ) : (
          <Conflicts conflict={conflict} differences={listed} sections={sections} keep={keep} />
        )}
        {tried === null ? null : <p className={classes.small}>{tried}</p>}
        <p className={classes.small}>{counts}</p>
        {error === null ? null : (
          <p className={classes.caution} role="alert">
            {error}
          </p>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            loading={isBusy}
            disabled={conflict !== null || listed.length === 0}
            onClick={() => void submit()}
            data-autofocus
          >
            Save
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
