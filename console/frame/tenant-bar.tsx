import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useParts } from '#console/hooks/parts.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { useSlot } from '#console/slots/feature.ts';
import classes from './frame.module.css';

/** Says that another tenant is looked at, and leads back. */
export function TenantBar() {
  const me = useMe();
  const { tenant } = useParts();
  const navigate = useNavigate();
  const visited = useSlot('visitedTenants').find(({ isOf }) => isOf(me.tenant.id));
  if (me.tenant.id === me.tenant.own) return null;
  const back = (): void => {
    tenant.choose(null);
    void navigate({ to: '/' });
  };
  return (
    <div className={classes.strip}>
      {visited?.words ?? `You look at the tenant ${me.tenant.id}.`}
      <Button variant="default" onClick={back}>
        Back to {me.tenant.own}
      </Button>
      <Suspense fallback={null}>{visited === undefined ? null : <visited.Part leave={back} />}</Suspense>
    </div>
  );
}
