import { Link } from '@tanstack/react-router';
import { Icon } from '#console/facts/icon.tsx';
import type { NavigationEntry } from '#console/slots/feature.ts';
import classes from './frame.module.css';

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
