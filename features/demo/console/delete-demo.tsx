import { Button, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import classes from '#console/frame/frame.module.css';
import { say, sayFailure } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { deleteDemo } from './api.ts';

/** Deletes the demo, from within it. */
export function DeleteDemo({ leave }: { readonly leave: () => void }) {
  const { call } = useParts();
  const mayDelete = useMay('tenants.manage');
  const [isAsked, setAsked] = useState(false);
  const remove = async (): Promise<void> => {
    setAsked(false);
    try {
      await deleteDemo(call);
      say({ text: 'The demo is being deleted' });
      leave();
    } catch (error) {
      sayFailure('The demo could not be deleted', error);
    }
  };
  if (!mayDelete) return null;
  return (
    <>
      <Button variant="default" onClick={() => setAsked(true)}>
        Delete the demo
      </Button>
      <Modal opened={isAsked} onClose={() => setAsked(false)} title="Delete the demo">
        <p className={classes.lead}>Its events, groups and CIs are gone then. It can be loaded anew.</p>
        <Group justify="flex-end" gap="sm" mt="md">
          <Button variant="default" onClick={() => setAsked(false)}>
            Cancel
          </Button>
          <Button onClick={() => void remove()}>Delete</Button>
        </Group>
      </Modal>
    </>
  );
}
