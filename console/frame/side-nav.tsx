import { Link } from '@tanstack/react-router';
import { Icon } from '#console/facts/icon.tsx';
import classes from './frame.module.css';
import type { NavigationEntry } from './navigation.ts';

export function SideNav({ entries }: { readonly entries: readonly NavigationEntry[] }) {
  return (
    <ul className={classes.links}>
      {entries.map(({ to, words, icon }) => (
        <li key={to}>
          <Link to={to} className={classes.link} title={words}>
            <Icon name={icon} />
            <span className={classes.linkWords}>{words}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
