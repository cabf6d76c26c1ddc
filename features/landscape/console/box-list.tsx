import { useState } from 'react';
import { Icon } from '#console/components/icon.tsx';
import { SeverityMark } from '#console/components/severity-mark.tsx';
import choice from '#console/data/choice.module.css';
import { count } from '#console/text/counts.ts';
import type { LandscapeBoxData, LandscapeCounts, LandscapeData } from './api.ts';
import classes from './landscape.module.css';
import { countWords } from './landscape-text.ts';
import { boxName } from './place.ts';
import * as text from './texts.ts';

/** The target of a row. */
interface ListedBox {
  readonly path: readonly (string | null)[];
  readonly ci: string | null;
}

interface RowProps {
  readonly name: string;
  readonly box: LandscapeCounts;
  /** Null: it leads nowhere. */
  readonly onOpen: (() => void) | null;
}

function Row({ name, box, onOpen }: RowProps) {
  const content = (
    <>
      {box.worst === null ? <span className={classes.noMark} /> : <SeverityMark severity={box.worst} bare />}
      <span className={classes.rowText}>
        <span className={classes.rowName}>{name}</span> <span className={classes.dim}>{countWords(box)}</span>
      </span>
    </>
  );
  return onOpen === null ? (
    <span className={classes.row}>{content}</span>
  ) : (
    <button type="button" className={`${choice.choice} ${classes.row}`} onClick={onOpen}>
      {content}
    </button>
  );
}

const Others = ({ others }: { readonly others: LandscapeCounts | null }) =>
  others === null ? null : (
    <li>
      <Row name={text.others(count(others.cis, 'CI'))} box={others} onOpen={null} />
    </li>
  );

interface Props {
  readonly data: LandscapeData;
  readonly onOpen: (box: ListedBox) => void;
}

/** The boxes as a list, the worst first; those within a box are listed on demand. */
export function BoxList({ data: { by, boxes, others }, onOpen }: Props) {
  const [level = '', inner = ''] = by;
  const [open, setOpen] = useState<ReadonlySet<string | null>>(new Set());
  const toggle = (value: string | null): void =>
    setOpen((before) => new Set(before.has(value) ? [...before].filter((one) => one !== value) : [...before, value]));
  const openBox = (box: Pick<LandscapeBoxData, 'value' | 'ci'>, before: readonly (string | null)[]) => () =>
    onOpen({ path: [...before, box.value], ci: box.ci ?? null });
  return (
    <ul className={classes.list} aria-label={text.boxes} data-keys>
      {boxes.map((box) => {
        const name = boxName(level, box);
        const isOpen = open.has(box.value);
        return (
          <li key={box.ci ?? JSON.stringify(box.value)}>
            <span className={classes.line}>
              {box.boxes.length === 0 ? (
                <span className={classes.noFold} />
              ) : (
                <button
                  type="button"
                  className={classes.fold}
                  aria-expanded={isOpen}
                  aria-label={text.boxesIn(name)}
                  onClick={() => toggle(box.value)}
                >
                  <Icon name={isOpen ? 'down' : 'right'} size={12} />
                </button>
              )}
              <Row name={name} box={box} onOpen={openBox(box, [])} />
            </span>
            {isOpen ? (
              <ul className={classes.inner}>
                {box.boxes.map((part) => (
                  <li key={part.ci ?? JSON.stringify(part.value)}>
                    <Row name={boxName(inner, part)} box={part} onOpen={openBox(part, [box.value])} />
                  </li>
                ))}
                <Others others={box.others} />
              </ul>
            ) : null}
          </li>
        );
      })}
      <Others others={others} />
    </ul>
  );
}
