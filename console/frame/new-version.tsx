import { Button } from '@mantine/core';
import { useState } from 'react';
import { useLiveState } from '#console/hooks/use-live.ts';
import classes from './frame.module.css';

/** The server has become another one than the page was loaded from. Nothing is reloaded by itself. */
export function NewVersion() {
  const { version } = useLiveState();
  const [first, setFirst] = useState('');
  if (first === '' && version !== '') setFirst(version);
  if (first === '' || version === '' || version === first) return null;
  return (
    <div className={classes.strip} role="status">
      Faultline was updated to {version}.
      <Button variant="subtle" size="compact-xs" onClick={() => location.reload()}>
        Reload
      </Button>
    </div>
  );
}
