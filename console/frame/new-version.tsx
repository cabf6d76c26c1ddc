import { Button } from '@mantine/core';
import { useState } from 'react';
import { useLiveState } from '#console/hooks/use-live.ts';
import { useMe } from '#console/hooks/use-me.ts';
import classes from './frame.module.css';

/** The server has become another one than the page was loaded from. Nothing is reloaded by itself. */
export function NewVersion() {
  const { version } = useLiveState();
  const me = useMe();
  const [first] = useState(me.version);
  const now = version === '' ? me.version : version;
  if (now === first) return null;
  return (
    <div className={classes.strip} role="status">
      Faultline was updated to {now}.
      <Button variant="subtle" size="compact-xs" onClick={() => location.reload()}>
        Reload
      </Button>
    </div>
  );
}
