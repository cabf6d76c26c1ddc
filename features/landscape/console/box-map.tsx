import { useElementSize } from '@mantine/hooks';
import { useMemo } from 'react';
import { SeverityMark } from '#console/components/severity-mark.tsx';
import { number } from '#console/text/counts.ts';
import type { LandscapeData } from './api.ts';
import classes from './landscape.module.css';
import { countWords } from './landscape-text.ts';
import { type Tile, tilesOf } from './tiles.ts';

/** Smaller areas have no room for a name, px. */
const NAMED = { width: 44, height: 20 } as const;

interface Props {
  readonly data: LandscapeData;
  readonly onOpen: (tile: Tile) => void;
}

/** The landscape, drawn; the list beside it is its equivalent for keyboards and screen readers. */
export function BoxMap({ data, onOpen }: Props) {
  const { ref, width, height } = useElementSize();
  const tiles = useMemo(() => tilesOf(data, { width, height }), [data, width, height]);
  return (
    <div ref={ref} className={classes.boxes} aria-hidden>
      {tiles.map((tile) => {
        const { key, name, area, isFrame, cis, worst, path, ci } = tile;
        const isNamed = area.width >= NAMED.width && area.height >= NAMED.height;
        return (
          <button
            key={key}
            type="button"
            tabIndex={-1}
            className={classes.box}
            data-frame={isFrame || undefined}
            data-worst={worst ?? undefined}
            disabled={path === null && ci === null}
            title={`${name}\n${countWords(tile)}`}
            style={{ left: area.x, top: area.y, width: area.width, height: area.height }}
            onClick={() => onOpen(tile)}
          >
            {isNamed ? (
              <span className={classes.boxName}>
                {worst === null ? null : <SeverityMark severity={worst} bare />}
                <span className={classes.boxWords}>{name}</span>
                {ci === null && path !== null ? <span className={classes.boxCount}>{number(cis)}</span> : null}
              </span>
            ) : null}
          </button>
        );
      })}
    </div>
  );
}
