import { ActionIcon } from '@mantine/core';
import type { ReactNode } from 'react';
import type { View } from '#console/api/views.ts';
import choice from '#console/data/choice.module.css';
import { Icon } from '#console/facts/icon.tsx';
import classes from './views.module.css';

interface Props {
  readonly name: string;
  readonly isCurrent: boolean;
  readonly isFirst: boolean;
  readonly choose: () => void;
  readonly beginWith: () => void;
  /** After the name: by whom it is, how many it has. */
  readonly notes?: ReactNode;
  /** After the star. */
  readonly children?: ReactNode;
}

/** A line of the menu: chosen by a click; the page begins with it while its star is set. */
export function ViewEntry({ name, isCurrent, isFirst, choose, beginWith, notes, children }: Props) {
  return (
    <li className={classes.row}>
      <button
        type="button"
        className={`${choice.choice} ${classes.name}`}
        aria-current={isCurrent || undefined}
        onClick={choose}
      >
        <span className={classes.words}>{name}</span>
        {notes}
      </button>
      <ActionIcon
        size={24}
        className={classes.star}
        aria-label={`Begin with ${name}`}
        title={isFirst ? 'The page begins with it' : 'Begin with it'}
        aria-pressed={isFirst}
        onClick={beginWith}
      >
        <Icon name="star" size={14} />
      </ActionIcon>
      {children}
    </li>
  );
}

interface ChangesProps {
  readonly name: string;
  readonly edit: () => void;
  readonly remove: () => void;
}

export function ViewChanges({ name, edit, remove }: ChangesProps) {
  return (
    <>
      <ActionIcon size={24} aria-label={`Rename or share ${name}`} onClick={edit}>
        <Icon name="edit" size={14} />
      </ActionIcon>
      <ActionIcon size={24} aria-label={`Delete ${name}`} onClick={remove}>
        <Icon name="close" size={14} />
      </ActionIcon>
    </>
  );
}

interface PartProps {
  readonly title: string;
  readonly views: readonly View[];
  readonly entry: (view: View) => ReactNode;
}

export function ViewsPart({ title, views, entry }: PartProps) {
  return views.length === 0 ? null : (
    <section aria-label={title}>
      <h3 className={classes.head}>{title}</h3>
      <ul className={classes.list}>{views.map(entry)}</ul>
    </section>
  );
}
