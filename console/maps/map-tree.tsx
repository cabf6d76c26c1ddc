import { useEffect, useMemo, useState } from 'react';
import { Icon } from '#console/components/icon.tsx';
import { SeverityMark } from '#console/components/severity-mark.tsx';
import choice from '#console/data/choice.module.css';
import { number, openCounts, plain } from '#console/text/counts.ts';
import type { Drawing, DrawnNode } from './drawn.ts';
import classes from './maps.module.css';
import * as text from './texts.ts';
import { above, isOpenAtFirst, type TreeRow, treeOf, unfolded } from './tree.ts';

interface Props {
  readonly drawing: Drawing;
  readonly start: string | null;
  readonly selected: string | null;
  readonly onSelect: (id: string) => void;
  readonly label: string;
}

const ROLE_WORDS: Readonly<Record<DrawnNode['role'], string>> = {
  cause: text.probableRootCause,
  victim: '',
  between: text.pathNoEvents,
  impacted: text.impactedNoEvents,
  protected: text.protectedByRedundancy,
  plain: '',
};

/** Deeper rows are not indented further, so that their text has room. */
const MAX_INDENTED = 10;

/** Open rows: the initial state of the map, with the user's collapsed and expanded ones. */
const useFolds = (rows: readonly TreeRow[], selected: string | null) => {
  const [folds, setFolds] = useState<ReadonlyMap<string, boolean>>(new Map());
  const put = (ids: readonly string[], isOpen: boolean): void =>
    setFolds((before) => new Map([...before, ...ids.map((id) => [id, isOpen] as const)]));
  // biome-ignore lint/correctness/useExhaustiveDependencies: reloaded rows must not expand anything.
  useEffect(() => {
    if (selected !== null) put(above(rows, selected), true);
  }, [selected]);
  return { isOpen: (row: TreeRow): boolean => folds.get(row.node.id) ?? isOpenAtFirst(rows, row), put };
};

const wordsOf = ({ node, by }: TreeRow): string => {
  const role = node.saved === undefined ? ROLE_WORDS[node.role] : `${ROLE_WORDS[node.role]}: ${node.saved}`;
  return [plain(node.type).toLowerCase(), by ?? '', node.state ?? openCounts(node), role]
    .filter((words) => words !== '')
    .join(' · ');
};

/** The map as a list that folds, with the same selection. */
export function MapTree({ drawing, start, selected, onSelect, label }: Props) {
  const rows = useMemo(() => treeOf(drawing, start), [drawing, start]);
  const { isOpen, put } = useFolds(rows, selected);
  return (
    <ul className={classes.tree} aria-label={label}>
      {unfolded(rows, isOpen).map((row) => {
        const { node, depth, below } = row;
        const open = isOpen(row);
        return (
          <li
            key={node.id}
            className={classes.treeLine}
            style={{ paddingLeft: `${Math.min(depth, MAX_INDENTED) * 0.75}rem` }}
          >
            {below === 0 ? (
              <span className={classes.noFold} />
            ) : (
              <button
                type="button"
                className={classes.fold}
                aria-expanded={open}
                aria-label={text.below(number(below), node.name)}
                onClick={() => put([node.id], !open)}
              >
                <Icon name={open ? 'down' : 'right'} size={12} />
              </button>
            )}
            <button
              type="button"
              className={`${choice.choice} ${classes.treeRow}`}
              aria-current={node.id === selected || undefined}
              onClick={() => onSelect(node.id)}
            >
              {node.worst === null ? <span className={classes.noMark} /> : <SeverityMark severity={node.worst} bare />}
              <span className={classes.treeText}>
                <span className={classes.treeName}>{node.name}</span>{' '}
                <span className={classes.treeWords}>{wordsOf(row)}</span>{' '}
                {open || below === 0 ? null : (
                  <span className={classes.further}>
                    · {number(below)} {text.more}
                  </span>
                )}
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
