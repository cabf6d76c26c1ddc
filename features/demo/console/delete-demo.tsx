import { Button, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import classes from '#console/frame/frame.module.css';
import { showError, showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { deleteDemo } from './api.ts';
import * as text from './texts.ts';

/** Deletes the demo, from within it. */
export function DeleteDemo({ leave }: { readonly leave: () => void }) {
  const { call } = useAppServices();
  const mayDelete = useMay('tenants.manage');
  const [isAsked, setAsked] = useState(false);
  const remove = async (): Promise<void> => {
    setAsked(false);
    try {
      await deleteDemo(call);
      showToast({ text: text.deletingDemo });
      leave();
    } catch (error) {
      showError(text.couldntDeleteDemo, error);
    }
  };
  if (!mayDelete) return null;
  return (
    <>
      <Button variant="default" onClick={() => setAsked(true)}>
        {text.deleteDemo}
      </Button>
      <Modal opened={isAsked} onClose={() => setAsked(false)} title={text.deleteDemo}>
        <p className={classes.lead}>{text.deleteDemoWarning}</p>
        <Group justify="flex-end" gap="sm" mt="md">
          <Button variant="default" onClick={() => setAsked(false)}>
            {text.cancel}
          </Button>
          <Button onClick={() => void remove()}>{text.deleteLabel}</Button>
        </Group>
      </Modal>
    </>
  );
}
