import { Button, Group, Modal, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { makeCi } from '#console/api/cmdb/cmdb.ts';
import { isProblem } from '#console/api/link/problem.ts';
import { showError, showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { type CiDraft, type DraftRows, EMPTY_DRAFT } from './ci-draft.ts';
import { CiFields } from './ci-fields.tsx';
import * as texts from './texts.ts';

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** Fields known already. */
  readonly given?: CiDraft;
  /** Called instead of opening the new object. */
  readonly made?: (name: string) => unknown;
}

const bagOf = (rows: DraftRows): Readonly<Record<string, string>> =>
  Object.fromEntries(
    rows
      .map(({ key, value }) => [key.trim(), value.trim()] as const)
      .filter(([key, value]) => key !== '' && value !== ''),
  );

/** Creates a CI manually. */
export function MakeDialog({ opened, onClose, given = EMPTY_DRAFT, made }: Props) {
  const { call } = useAppServices();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [draft, setDraft] = useState(given);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [isBusy, setBusy] = useState(false);

  const make = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      const { name, type, status, description, external_key: key, attributes, custom_fields: custom } = draft;
      const ci = await makeCi(call, {
        name,
        type,
        status,
        ...(description.trim() && { description: description.trim() }),
        ...(key.trim() && { external_key: key.trim() }),
        attributes: bagOf(attributes),
        custom_fields: bagOf(custom),
      });
      showToast({ text: texts.created(ci.name) });
      onClose();
      setDraft(given);
      await queries.invalidateQueries({ queryKey: ['cis'] });
      if (made === undefined) void navigate({ to: `/cis/${ci._id}` });
      else made(ci.name);
    } catch (error) {
      if (isProblem(error)) setErrors(error.fields);
      showError(texts.couldntCreateTheCi, error);
    }
    setBusy(false);
  };

  return (
    <Modal opened={opened} onClose={onClose} title={texts.createCi} size="lg">
      <form onSubmit={(event) => void make(event)}>
        <Stack gap="md">
          <CiFields draft={draft} onChange={setDraft} errors={errors} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {texts.cancel}
            </Button>
            <Button type="submit" loading={isBusy} disabled={draft.name.trim() === '' || draft.type.trim() === ''}>
              {texts.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
