import choice from '#console/data/choice.module.css';
import { SeverityMark } from '#console/facts/severity-mark.tsx';
import { plain } from '#console/words/counts.ts';
import type { Drawing, DrawnNode } from './drawn.ts';
import classes from './maps.module.css';
import { treeOf } from './tree.ts';

interface Props {
  readonly drawing: Drawing;
  readonly start: string | null;
  readonly selected: string | null;
  readonly onSelect: (id: string) => void;
  readonly label: string;
}

const ROLE_WORDS: Readonly<Record<DrawnNode['role'], string>> = {
  cause: 'probable cause',
  victim: '',
  between: 'on the way, silent',
  impacted: 'fails too, silent',
  protected: 'saved by redundancy',
  plain: '',
};

/** Deeper rows stand below each other, so that they keep room for their words. */
const MOST_INDENTED = 10;

/** The map as a list, with the same selection. */
export function MapTree({ drawing, start, selected, onSelect, label }: Props) {
  return (
    <ul className={classes.tree} aria-label={label}>
      {treeOf(drawing, start).map(({ node, depth, by }) => (
        <li key={node.id} style={{ paddingLeft: `${Math.min(depth, MOST_INDENTED) * 0.75}rem` }}>
          <button
            type="button"
            className={`${choice.choice} ${classes.treeRow}`}
            aria-current={node.id === selected || undefined}
            onClick={() => onSelect(node.id)}
          >
            {node.worst === null ? <span className={classes.noMark} /> : <SeverityMark severity={node.worst} bare />}
            <span className={classes.treeName}>{node.name}</span>
            <span className={classes.treeWords}>
              {[plain(node.type).toLowerCase(), by === null ? '' : by.replaceAll('_', ' '), ROLE_WORDS[node.role]]
                .filter((words) => words !== '')
                .join(' · ')}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
