import { Button, useComputedColorScheme } from '@mantine/core';
import type { Core, Position, StylesheetJson } from 'cytoscape';
import cytoscape from 'cytoscape';
import dagre from 'cytoscape-dagre';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useSettings } from '#console/hooks/use-settings.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import { SEVERITIES, type Severity } from '#domain/event/event.ts';
import type { Drawing } from './drawn.ts';
import classes from './maps.module.css';
import * as text from './texts.ts';

type Token = (name: string) => string;

const SHAPES: Readonly<Record<Severity, string>> = {
  critical: 'rectangle',
  major: 'triangle',
  minor: 'ellipse',
  warning: 'diamond',
  info: 'ellipse',
};

const STRIPES = 5;
/** Hatching without an image: a gradient with hard color changes. */
const hatched = (colour: string, between: string) => ({
  'background-fill': 'linear-gradient' as const,
  'background-gradient-direction': 'to-bottom-right' as const,
  'background-gradient-stop-colors': Array.from({ length: STRIPES }, (_, at) =>
    at % 2 === 0 ? colour : between,
  ).flatMap((one) => [one, one]),
  'background-gradient-stop-positions': Array.from({ length: STRIPES }, (_, at) => [at, at + 1])
    .flat()
    .map((at) => `${(at * 100) / STRIPES}%`),
  'border-color': colour,
});

/** Read on a map of any size. */
const named = {
  'font-size': 26,
  'min-zoomed-font-size': 0,
  'text-max-width': '400px',
  'font-weight': 'bold' as const,
  'z-index': 1,
};

/** Style of the map, in the colors of the theme: fill is the worst event, the outline other data. */
const mapStyle = (token: Token, isLarge: boolean): StylesheetJson => [
  {
    selector: 'node',
    style: {
      label: 'data(name)',
      width: 16,
      height: 16,
      'background-color': token('panel'),
      'border-width': 1.5,
      'border-color': token('edge'),
      color: token('text'),
      'font-size': 11,
      'font-family': 'ui-sans-serif, system-ui, sans-serif',
      'text-valign': 'bottom',
      'text-margin-y': 4,
      'text-max-width': '110px',
      'text-wrap': 'ellipsis',
      'text-background-color': token('panel'),
      'text-background-opacity': 0.85,
      'text-background-padding': '1px',
      'min-zoomed-font-size': 7,
    },
  },
  ...(Object.entries(SHAPES) as [Severity, string][]).map(([severity, shape]) => ({
    selector: `node[worst = "${severity}"]`,
    style: { 'background-color': token(severity), 'border-color': token(severity), shape: shape as 'rectangle' },
  })),
  {
    selector: 'node:selected',
    style: {
      ...(isLarge ? named : { 'font-weight': 'bold' as const }),
      'overlay-color': token('accent'),
      'overlay-opacity': 0.25,
      'overlay-padding': 5,
    },
  },
  {
    selector: 'node[role = "cause"]',
    style: {
      width: 26,
      height: 26,
      ...named,
      'border-width': 4,
      'border-color': token('text'),
    },
  },
  {
    selector: 'node[role = "impacted"]',
    style: { 'border-width': 3, 'border-color': token('critical') },
  },
  { selector: 'node[role = "protected"]', style: { ...hatched(token('good'), token('panel')), width: 20, height: 20 } },
  ...SEVERITIES.map((severity) => ({
    selector: `node[role = "protected"][worst = "${severity}"]`,
    style: hatched(token(severity), token('panel')),
  })),
  {
    selector: 'edge',
    style: {
      width: 1,
      'line-color': token('edge'),
      'curve-style': 'bezier',
      'target-arrow-shape': 'triangle',
      'target-arrow-color': token('edge'),
      'arrow-scale': 0.7,
    },
  },
  {
    selector: 'edge[origin = "ai"], edge[origin = "proposed"]',
    style: { 'line-style': 'dashed', 'line-dash-pattern': [4, 3] },
  },
  {
    selector: 'edge[origin = "proposed"]',
    style: { width: 2, 'line-color': token('accent'), 'target-arrow-color': token('accent'), 'overlay-padding': 8 },
  },
];

interface Props {
  readonly drawing: Drawing;
  readonly selected: string | null;
  readonly onSelect: (id: string | null) => void;
  /** Called for a proposed relationship that was clicked. */
  readonly onProposal?: (id: string) => void;
  readonly label: string;
}

const PADDING = 24;
/** Two or three CIs fill no map: they are as large as on others. */
const MAX_FITTED = 1.25;
/** Number of names that fit beside each other; on a larger map they are readable after zooming in. */
const FEW_NODES = 40;

const elementsOf = ({ nodes, edges }: Drawing) => [
  ...nodes.map(({ id, name, role, worst }) => ({ data: { id, name, role, worst: worst ?? 'none' } })),
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

const fitInto = (map: Core): void => {
  map.fit(undefined, PADDING);
  if (map.zoom() <= MAX_FITTED) return;
  map.zoom(MAX_FITTED);
  map.center();
};

/** The map, drawn; the tree beside it is its equivalent for screen readers. */
export function GraphCanvas({ drawing, selected, onSelect, onProposal, label }: Props) {
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
    // Another size, such as a turned phone, shows the whole map again, unless the user has zoomed in.
    opened.on('resize', onResized);
    return () => {
      core.current = null;
      opened.destroy();
    };
  }, [drawing, shape, scheme, theme]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a redrawn map has lost its selection.
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
  useShortcuts([{ keys: 'f', words: text.fitMap, section: 'Actions', run: showAll }]);

  return (
    <div className={classes.frame}>
      <div ref={place} className={classes.canvas} role="img" aria-label={label} />
      <div className={classes.zoom}>
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
    </div>
  );
}

const zoom = (map: Core | null, by: number): void => {
  if (map === null) return;
  map.zoom({ level: map.zoom() * by, renderedPosition: { x: map.width() / 2, y: map.height() / 2 } });
};
