import { useEffect } from 'react';
import { useParts } from '#console/hooks/parts.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import { number } from '#console/words/counts.ts';
import classes from './data.module.css';

/** Says how many rows wait; they come in when a person wants it. */
export function NewPill({ count, takeIn }: { readonly count: number; readonly takeIn: () => void }) {
  useShortcuts([{ keys: '.', words: 'Take in what is new', section: 'List', isActive: count > 0, run: takeIn }]);
  const { announcer } = useParts();
  useEffect(() => {
    if (count > 0) announcer.announce('list', `${number(count)} new in the list; the full stop takes them in`);
  }, [announcer, count]);
  if (count === 0) return null;
  return (
    <button type="button" className={classes.pill} onClick={takeIn}>
      {number(count)} new
    </button>
  );
}
