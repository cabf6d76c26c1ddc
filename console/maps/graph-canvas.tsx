import { Button, useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import type { Core, Position } from 'cytoscape';
import cytoscape from 'cytoscape';
import { type RefObject, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useSettings } from '#console/hooks/use-settings.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import type { Drawing } from './drawn.ts';
import { folded, isFold, MAX_SHAPES } from './fold.ts';
import { placesOf } from './layout.ts';
import { mapStyle } from './map-style.ts';
import classes from './maps.module.css';
import { NAME_GAP } from './names.ts';
import { MAX_NAME_PX, NAME_PX, openMeasure, showNames } from './shown-names.ts';
import * as text from './texts.ts';

interface Props {
  readonly drawing: Drawing;
  readonly selected: string | null;
  readonly onSelect: (id: string | null) => void;
  /** Called for a proposed relationship that was clicked. */
  readonly onProposal?: (id: string) => void;
  readonly label: string;
}

/** Space beside a name, px. */
const BESIDE_PX = 12;
/** Room for half of a name beside the outermost nodes, and for one above and below them. */
const PADDING = { x: 56, y: 26 };
/** Two or three CIs fill no map: they are as large as on others. */
const MAX_FITTED = 1.25;
const elementsOf = ({ nodes, edges }: Drawing, places: ReadonlyMap<string, Position>) => [
  ...nodes.map(({ id, name, role, worst }) => ({
    data: {
      id,
      name,
      role,
      worst: worst ?? 'none',
      fold: isFold(id) ? 'yes' : 'no',
      shown: '',
      size: NAME_PX,
      side: 'bottom',
      gap: NAME_GAP,
    },
    position: { ...(places.get(id) ?? { x: 0, y: 0 }) },
  })),
  // Dependencies are above: an arrow shows the direction of a failure.
  ...edges.map(({ source, target, isFromAi = false, proposal }, at) => ({
    data: {
      id: `edge-${at}`,
      source: target,
      target: source,
      proposal,
      origin: proposal !== undefined ? 'proposed' : isFromAi ? 'ai' : 'known',
    },
  })),
];

/** Returns the structure of the map, without states. */
const shapeOf = ({ nodes, edges }: Drawing): string =>
  [...nodes.map(({ id }) => id), ...edges.map(({ source, target }) => `${source} ${target}`)].join('\n');

const placesIn = (container: HTMLElement, drawing: Drawing, measure: ReturnType<typeof openMeasure>) => {
  const widths = new Map(drawing.nodes.map((node) => [node.id, Math.min(MAX_NAME_PX, measure(node)) + BESIDE_PX]));
  const room = { width: container.clientWidth - 2 * PADDING.x, height: container.clientHeight - 2 * PADDING.y };
  return placesOf(drawing, (id) => widths.get(id) ?? BESIDE_PX, room);
};

function openMap(container: HTMLElement, drawing: Drawing): Core {
  const measure = openMeasure();
  const styles = getComputedStyle(document.documentElement);
  const map = cytoscape({
    container,
    elements: elementsOf(drawing, placesIn(container, drawing, measure)),
    style: mapStyle((name) => styles.getPropertyValue(`--fl-${name}`).trim()),
    layout: { name: 'preset', fit: false },
    minZoom: 0.15,
    maxZoom: 2.5,
    autounselectify: false,
    boxSelectionEnabled: false,
  });
  let frame = 0;
  const show = (): void => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => !map.destroyed() && showNames(map, drawing, measure));
  };
  map.on('zoom resize select unselect dragfree', show);
  map.on('mouseover', 'node', ({ target }) => {
    target.addClass('pointed');
    show();
  });
  map.on('mouseout', 'node', ({ target }) => {
    target.removeClass('pointed');
    show();
  });
  show();
  return map;
}

/** The visible part: retained when the same CIs are drawn again, as when an event opens on one of them. */
interface View {
  readonly shape: string;
  readonly zoom: number;
  readonly pan: Position;
}
/** Positions of CIs dragged by the user; retained for as long. */
interface NodePositions {
  readonly shape: string;
  readonly byId: Map<string, Position>;
}

/** Places all nodes for the size of the map. */
const spread = (map: Core, container: HTMLElement, drawing: Drawing): void => {
  const places = placesIn(container, drawing, openMeasure());
  map.nodes().positions((node) => places.get(node.id()) ?? node.position());
};

const fitInto = (map: Core): void => {
  const { w, h } = map.elements().boundingBox({ includeLabels: false });
  const fitting = Math.min((map.width() - 2 * PADDING.x) / w, (map.height() - 2 * PADDING.y) / h);
  map.zoom(Math.min(MAX_FITTED, fitting));
  map.center();
};

/** Room for a shape with its name, px². */
const SHAPE_AREA = 110 * 60;
const LEAST_SHAPES = 12;
const shapesIn = (area: number): number => Math.max(LEAST_SHAPES, Math.min(MAX_SHAPES, Math.round(area / SHAPE_AREA)));

/** The map, drawn; the tree beside it is its equivalent for screen readers. */
export function GraphCanvas(props: Props) {
  const { ref, width, height } = useElementSize();
  return (
    <div ref={ref} className={classes.frame}>
      {width * height === 0 ? null : <FoldingCanvas most={shapesIn(width * height)} {...props} />}
    </div>
  );
}

interface FoldingProps extends Props {
  /** Shapes that have room. */
  readonly most: number;
}
function FoldingCanvas({ drawing, selected, onSelect, most, ...props }: FoldingProps) {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const shown = useMemo(() => folded(drawing, unfolded, most), [drawing, unfolded, most]);
  return (
    <FoldedCanvas
      {...props}
      drawing={shown}
      selected={selected === null ? null : (shown.foldOf.get(selected) ?? selected)}
      onSelect={(id) => (id !== null && isFold(id) ? setUnfolded((before) => new Set([...before, id])) : onSelect(id))}
      onFold={unfolded.size === 0 ? null : () => setUnfolded(new Set())}
    />
  );
}

interface FoldedCanvasProps extends Props {
  /** Null: nothing was unfolded. */
  readonly onFold: (() => void) | null;
}
/** A redrawn map has lost its selection. */
const useSelected = (core: RefObject<Core | null>, selected: string | null, colors: string, drawing: Drawing): void => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other colors and another drawing are another map.
  useEffect(() => {
    const map = core.current;
    if (map === null) return;
    map.nodes().unselect();
    if (selected !== null) map.getElementById(selected).select();
  }, [core, selected, drawing, colors]);
};

function FoldedCanvas({ drawing, selected, onSelect, onProposal, onFold, label }: FoldedCanvasProps) {
  const place = useRef<HTMLDivElement>(null);
  const core = useRef<Core | null>(null);
  const view = useRef<View | null>(null);
  const places = useRef<NodePositions | null>(null);
  const scheme = useComputedColorScheme();
  const { theme } = useSettings();
  const onTapped = useEffectEvent(onSelect);
  const onProposed = useEffectEvent((id: string | undefined) => id !== undefined && onProposal?.(id));
  const shape = shapeOf(drawing);
  const keepView = (): void => {
    const map = core.current;
    if (map !== null) view.current = { shape, zoom: map.zoom(), pan: { ...map.pan() } };
  };
  const onMoved = useEffectEvent(keepView);
  const onDragged = useEffectEvent((id: string, position: Position) => {
    if (places.current?.shape !== shape) places.current = { shape, byId: new Map() };
    places.current.byId.set(id, { ...position });
    keepView();
  });
  const showAll = (): void => {
    if (core.current !== null) fitInto(core.current);
    view.current = null;
  };
  const onResized = useEffectEvent(() => {
    if (view.current?.shape === shape || place.current === null) return;
    if (places.current?.shape !== shape && core.current !== null) spread(core.current, place.current, drawing);
    showAll();
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours.
  useEffect(() => {
    if (place.current === null) return undefined;
    const opened = openMap(place.current, drawing);
    if (places.current?.shape === shape)
      for (const [id, position] of places.current.byId) opened.getElementById(id).position(position);
    if (view.current?.shape === shape) opened.viewport(view.current);
    else fitInto(opened);
    opened.on('tap', (event) => event.target === opened && onTapped(null));
    opened.on('tap', 'node', ({ target }) => onTapped(target.data('id') as string));
    opened.on('tap', 'edge', ({ target }) => void onProposed(target.data('proposal') as string | undefined));
    opened.on('dragpan scrollzoom pinchzoom', onMoved);
    opened.on('dragfree', 'node', ({ target }) => onDragged(target.id() as string, target.position() as Position));
    core.current = opened;
    // Another size, such as a turned phone, shows the whole map again, unless the user has zoomed in.
    opened.on('resize', onResized);
    return () => {
      core.current = null;
      opened.destroy();
    };
  }, [drawing, shape, scheme, theme]);

  useSelected(core, selected, `${scheme} ${theme}`, drawing);

  useShortcuts([{ keys: 'f', words: text.fitMap, section: 'Actions', run: showAll }]);

  return (
    <>
      <div ref={place} className={classes.canvas} role="img" aria-label={label} />
      <ZoomButtons
        onFold={onFold}
        zoomBy={(factor) => {
          zoom(core.current, factor);
          keepView();
        }}
        showAll={showAll}
      />
    </>
  );
}

const zoom = (map: Core | null, by: number): void => {
  if (map === null) return;
  map.zoom({ level: map.zoom() * by, renderedPosition: { x: map.width() / 2, y: map.height() / 2 } });
};

interface ZoomProps extends Pick<FoldedCanvasProps, 'onFold'> {
  readonly zoomBy: (factor: number) => void;
  readonly showAll: () => void;
}
function ZoomButtons({ onFold, zoomBy, showAll }: ZoomProps) {
  return (
    <div className={classes.zoom}>
      {onFold === null ? null : (
        <Button variant="default" onClick={onFold}>
          {text.collapse}
        </Button>
      )}
      <Button variant="default" aria-label={text.zoomIn} onClick={() => zoomBy(1.3)}>
        +
      </Button>
      <Button variant="default" aria-label={text.zoomOut} onClick={() => zoomBy(1 / 1.3)}>
        −
      </Button>
      <Button variant="default" onClick={showAll} title="f">
        {text.fit}
      </Button>
    </div>
  );
}
