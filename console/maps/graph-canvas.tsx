import { Button, useComputedColorScheme } from '@mantine/core';
import cytoscape, { type Core, type Position } from 'cytoscape';
import dagre from 'cytoscape-dagre';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useSettings } from '#console/hooks/use-settings.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import type { Drawing } from './drawn.ts';
import { mapStyle } from './map-style.ts';
import classes from './maps.module.css';

interface Props {
  readonly drawing: Drawing;
  readonly selected: string | null;
  readonly onSelect: (id: string | null) => void;
  /** Told of a proposed relationship that was clicked. */
  readonly onProposal?: (id: string) => void;
  readonly label: string;
}

const PADDING = 24;
/** Two or three CIs fill no map: they are as large as on others. */
const MOST_FITTED = 1.25;
/** So many names fit beside each other; of a larger map they are read when one comes nearer. */
const FEW_NODES = 40;

const elementsOf = ({ nodes, edges }: Drawing) => [
  ...nodes.map(({ id, name, role, worst }) => ({ data: { id, name, role, worst: worst ?? 'none' } })),
  // Dependencies stand above: an arrow shows the way of a failure.
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

/** Of what the map has, whatever state it is in. */
const shapeOf = ({ nodes, edges }: Drawing): string =>
  [...nodes.map(({ id }) => id), ...edges.map(({ source, target }) => `${source} ${target}`)].join('\n');

function openMap(container: HTMLElement, drawing: Drawing): Core {
  cytoscape.use(dagre as never);
  const isLarge = drawing.nodes.length > FEW_NODES;
  const styles = getComputedStyle(document.documentElement);
  return cytoscape({
    container,
    elements: elementsOf(drawing),
    style: mapStyle((name) => styles.getPropertyValue(`--fl-${name}`).trim(), isLarge),
    layout: {
      name: 'dagre',
      rankDir: 'TB',
      fit: false,
      animate: false,
      ...(isLarge ? { nodeSep: 26, rankSep: 46 } : { nodeSep: 12, rankSep: 22, nodeDimensionsIncludeLabels: true }),
    } as never,
    minZoom: 0.15,
    maxZoom: 2.5,
    autounselectify: false,
    boxSelectionEnabled: false,
  });
}

/** The part that a person looks at: kept when the same CIs are drawn anew, as when an event opens on one of them. */
interface View {
  readonly shape: string;
  readonly zoom: number;
  readonly pan: Position;
}
/** Where a person has dragged CIs to; kept for as long. */
interface Places {
  readonly shape: string;
  readonly byId: Map<string, Position>;
}

const fitInto = (map: Core): void => {
  map.fit(undefined, PADDING);
  if (map.zoom() <= MOST_FITTED) return;
  map.zoom(MOST_FITTED);
  map.center();
};

/** The map, drawn; the tree beside it says the same to those who do not see it. */
export function GraphCanvas({ drawing, selected, onSelect, onProposal, label }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const core = useRef<Core | null>(null);
  const view = useRef<View | null>(null);
  const places = useRef<Places | null>(null);
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
    if (view.current?.shape !== shape) showAll();
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
    // A place of another size, such as a turned phone, shows all of it again, unless somebody looks at a part.
    opened.on('resize', onResized);
    return () => {
      core.current = null;
      opened.destroy();
    };
  }, [drawing, shape, scheme, theme]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a map that is drawn anew has nothing selected.
  useEffect(() => {
    const map = core.current;
    if (map === null) return;
    map.nodes().unselect();
    if (selected !== null) map.getElementById(selected).select();
  }, [selected, drawing, scheme, theme]);

  const zoomBy = (factor: number): void => {
    zoom(core.current, factor);
    keepView();
  };
  useShortcuts([{ keys: 'f', words: 'Fit the map', section: 'Actions', run: showAll }]);

  return (
    <div className={classes.frame}>
      <div ref={place} className={classes.canvas} role="img" aria-label={label} />
      <div className={classes.zoom}>
        <Button variant="default" aria-label="Zoom in" onClick={() => zoomBy(1.3)}>
          +
        </Button>
        <Button variant="default" aria-label="Zoom out" onClick={() => zoomBy(1 / 1.3)}>
          −
        </Button>
        <Button variant="default" onClick={showAll} title="f">
          Fit
        </Button>
      </div>
    </div>
  );
}

const zoom = (map: Core | null, by: number): void => {
  if (map === null) return;
  map.zoom({ level: map.zoom() * by, renderedPosition: { x: map.width() / 2, y: map.height() / 2 } });
};
