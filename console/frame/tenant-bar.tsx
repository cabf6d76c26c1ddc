import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
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
  if (me.tenant.id === me.tenant.own) return null;
  const isDemo = me.tenant.id.startsWith('demo');
  const back = (): void => {
    tenant.choose(null);
    void navigate({ to: '/' });
  };
  const remove = async (): Promise<void> => {
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
      <Button variant="subtle" size="compact-xs" onClick={back}>
        Back to {me.tenant.own}
      </Button>
      {isDemo && me.permissions.includes('tenants.manage') ? (
        <Button variant="subtle" size="compact-xs" onClick={() => void remove()}>
          Delete the demo
        </Button>
      ) : null}
    </div>
  );
}
