import { Select, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CiPicker, type PickedCi } from '#console/cis/ci-picker.tsx';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import { textOf } from '#console/forms/form-text.ts';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useLocal } from '#console/hooks/use-local.ts';
import { capital } from '#domain/text.ts';
import { CHANGE_TYPES } from '#features/change-risk/rules/change-type.ts';
import { assessChange } from './api.ts';
import classes from './changes.module.css';
import * as text from './texts.ts';

const KINDS = CHANGE_TYPES.map((value) => ({ value, label: capital(value) }));

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** Gets the ID of the stored assessment. */
  readonly onAssessed: (id: string) => void;
}

/** Asks for a planned change, and stores the assessment of its risk. */
export function AssessDialog({ opened, onClose, onAssessed }: Props) {
  const { call } = useAppServices();
  const queries = useQueryClient();
  const local = useLocal();
  const [ci, setCi] = useState<PickedCi | null>(null);
  const [kind, setKind] = useState('restart');
  const close = (): void => {
    setCi(null);
    onClose();
  };
  const send = async (form: FormData): Promise<void> => {
    const start = local.toMs(textOf(form, 'plannedTime'));
    const [description, duration] = [textOf(form, 'description'), textOf(form, 'plannedDuration')];
    const { assessmentId } = await assessChange(call, {
      ciId: ci?.id ?? '',
      changeType: kind,
      ...(description !== '' && { description }),
      ...(start !== null && { plannedTime: start }),
      ...(duration !== '' && { plannedDuration: duration }),
    });
    void queries.invalidateQueries({ queryKey: ['changes'] });
    onAssessed(assessmentId);
  };
  return (
    <FormDialog
      opened={opened}
      title={text.assessTitle}
      action={text.assess}
      isReady={ci !== null}
      onClose={close}
      send={send}
    >
      {(problems) => (
        <>
          <CiPicker label={text.ci} picked={ci} onPick={setCi} />
          <Select
            label={text.changeType}
            data={KINDS}
            value={kind}
            allowDeselect={false}
            onChange={(value) => setKind(value ?? kind)}
          />
          <Textarea name="description" label={text.description} autosize minRows={2} maxLength={32_768} />
          <div className={classes.times}>
            <TextInput
              type="datetime-local"
              name="plannedTime"
              label={text.start}
              description={text.startHint}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              error={problems.plannedTime}
            />
            <TextInput
              name="plannedDuration"
              label={text.duration}
              description={text.durationHint}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              defaultValue="1h"
              maxLength={64}
              error={problems.plannedDuration}
            />
          </div>
        </>
      )}
    </FormDialog>
  );
}
