import { Button, Group, Modal } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { deleteDemo } from '#console/api/first-run.ts';
import { useParts } from '#console/hooks/parts.ts';
import { useMe } from '#console/hooks/use-me.ts';
import classes from './frame.module.css';
import { say, sayFailure } from './toasts.tsx';

/** Says that another tenant is looked at, and leads back; the demo can be deleted from here. */
export function TenantBar() {
  const me = useMe();
  const { call, tenant } = useParts();
  const navigate = useNavigate();
  const [isAsked, setAsked] = useState(false);
  if (me.tenant.id === me.tenant.own) return null;
  const isDemo = me.tenant.id.startsWith('demo');
  const back = (): void => {
    tenant.choose(null);
    void navigate({ to: '/' });
  };
  const remove = async (): Promise<void> => {
    setAsked(false);
    try {
      await deleteDemo(call);
      say({ text: 'The demo is being deleted' });
      back();
    } catch (error) {
      sayFailure('The demo could not be deleted', error);
    }
  };
  return (
    <div className={classes.strip}>
      {isDemo
        ? 'This is the demo: a small company, and twelve hours of its events.'
        : `You look at the tenant ${me.tenant.id}.`}
      <Button variant="default" onClick={back}>
        Back to {me.tenant.own}
      </Button>
      {isDemo && me.permissions.includes('tenants.manage') ? (
        <Button variant="default" onClick={() => setAsked(true)}>
          Delete the demo
        </Button>
      ) : null}
      <Modal opened={isAsked} onClose={() => setAsked(false)} title="Delete the demo">
        <p className={classes.lead}>Its events, groups and CIs are gone then. It can be loaded anew.</p>
        <Group justify="flex-end" gap="sm" mt="md">
          <Button variant="default" onClick={() => setAsked(false)}>
            Cancel
          </Button>
          <Button onClick={() => void remove()}>Delete</Button>
        </Group>
      </Modal>
    </div>
  );
}
