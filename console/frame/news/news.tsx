import { useSyncExternalStore } from 'react';
import { useParts } from '#console/hooks/parts.ts';
import classes from '../frame.module.css';
import { useNews } from './use-news.ts';

/** Announces changes to people who do not see the page. */
export function News() {
  const { announcer } = useParts();
  const text = useSyncExternalStore(announcer.subscribe, announcer.text);
  useNews();
  return (
    <div className={classes.unseen} role="status" aria-label="What is new">
      {text}
    </div>
  );
}
