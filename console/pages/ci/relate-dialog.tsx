import { Button, Group, Modal, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { type CiFacts, makeRelationship } from '#console/api/cmdb/cmdb.ts';
import { CiPicker, type PickedCi } from '#console/cis/ci-picker.tsx';
import { wayWords } from '#console/cis/ci-words.ts';
import { say, sayFailure } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { KNOWN_RELATIONSHIPS } from '#domain/topology/topology.ts';

interface Props {
  readonly ci: CiFacts;
  readonly onClose: () => void;
  readonly done: () => unknown;
}

const WAYS = (['outgoing', 'incoming'] as const).flatMap((direction) =>
  KNOWN_RELATIONSHIPS.map((type) => ({ value: `${direction} ${type}`, label: wayWords(type, direction) })),
);

/** Says how two CIs are related. */
export function RelateDialog({ ci, onClose, done }: Props) {
  const { call } = useParts();
  const [way, setWay] = useState('outgoing depends_on');
  const [other, setOther] = useState<PickedCi | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [direction, type] = way.split(' ') as ['outgoing' | 'incoming', string];

  const make = async (): Promise<void> => {
    if (other === null) return;
    const [source_ci, target_ci] = direction === 'outgoing' ? [ci._id, other.id] : [other.id, ci._id];
    setBusy(true);
    try {
      await makeRelationship(call, { type, source_ci, target_ci });
      say({ text: `${ci.name} ${wayWords(type, direction)} ${other.name}` });
      onClose();
      done();
    } catch (error) {
      sayFailure('The relationship could not be made', error);
    }
    setBusy(false);
  };
  return (
    <Modal opened onClose={onClose} title={`How ${ci.name} is related`} size="lg">
      <Stack gap="md">
        <Select
          label={ci.name}
          data={WAYS}
          value={way}
          searchable
          allowDeselect={false}
          maxDropdownHeight={280}
          onChange={(next) => setWay(next ?? way)}
          data-autofocus
        />
        <CiPicker label="The other CI" picked={other} onPick={setOther} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={other === null || other.id === ci._id} loading={isBusy} onClick={() => void make()}>
            Add it
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
