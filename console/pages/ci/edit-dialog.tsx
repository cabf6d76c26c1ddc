import { Button, Group, Modal, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type CiFacts, changeCi, readCi } from '#console/api/cmdb/cmdb.ts';
import { isProblem } from '#console/api/link/problem.ts';
import { type CiClash, clashes, differences, draftOf, wishOf } from '#console/cis/ci-draft.ts';
import { CiFields } from '#console/cis/ci-fields.tsx';
import forms from '#console/cis/ci-forms.module.css';
import { fieldWords, valueText } from '#console/cis/ci-words.ts';
import { DiffTable } from '#console/cis/diff-table.tsx';
import type { Clash } from '#console/forms/clash.ts';
import { Clashes } from '#console/forms/clashes.tsx';
import { say, sayFailure } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';

interface Props {
  readonly ci: CiFacts;
  readonly etag: string | null;
  readonly onClose: () => void;
}

const said = (clash: CiClash): Clash => ({
  field: clash.theirs.field,
  words: fieldWords(clash.theirs.field),
  theirs: valueText(clash.theirs.after),
  mine: clash.mine === null ? null : valueText(clash.mine.after),
});

/** Changes a CI: what would change is shown before it is saved, and a change by another person is not lost. */
export function EditDialog({ ci, etag, onClose }: Props) {
  const { call } = useParts();
  const queries = useQueryClient();
  // The values at the start of the dialog: the page behind may be read anew meanwhile.
  const [base] = useState({ ci, etag });
  const [now, setNow] = useState(base);
  const [draft, setDraft] = useState(() => draftOf(ci));
  const [isLooking, setLooking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set());
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const wanted = differences(base.ci, draft);
  const found = clashes(base.ci, now.ci, wanted);
  const changes = wanted.filter(({ field }) => !theirs.has(field));
  const mayLook = wanted.length > 0 && draft.name.trim() !== '' && draft.type.trim() !== '';

  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      await changeCi(call, ci._id, wishOf(changes), now.etag);
      say({ text: `${draft.name} was changed` });
      onClose();
      await queries.invalidateQueries({ queryKey: ['cis'] });
    } catch (error) {
      if (isProblem(error, 412)) setNow(await readCi(call, ci._id));
      else {
        if (isProblem(error)) setErrors(error.fields);
        sayFailure('The CI could not be changed', error);
        setLooking(false);
      }
    }
    setBusy(false);
  };

  const goOn = (event: FormEvent): void => {
    event.preventDefault();
    if (!isLooking) setLooking(mayLook);
    else if (changes.length > 0) void save();
  };

  return (
    <Modal opened onClose={onClose} title={`Edit ${ci.name}`} size="lg">
      <Stack component="form" gap="md" onSubmit={goOn}>
        {isLooking ? (
          <>
            {found.length === 0 ? null : <Clashes found={found.map(said)} theirs={theirs} onTheirs={setTheirs} />}
            <p className={forms.lead}>This is saved:</p>
            <DiffTable changes={changes} />
          </>
        ) : (
          <CiFields draft={draft} onChange={setDraft} errors={errors} />
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={isLooking ? () => setLooking(false) : onClose}>
            {isLooking ? 'Back' : 'Cancel'}
          </Button>
          {isLooking ? (
            <Button key="save" type="submit" loading={isBusy} disabled={changes.length === 0} autoFocus>
              Save
            </Button>
          ) : (
            <Button key="look" type="submit" disabled={!mayLook}>
              Look at the changes
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
