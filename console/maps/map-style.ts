import type { StylesheetJson } from 'cytoscape';
import { SEVERITIES, type Severity } from '#domain/event/event.ts';

export const FONT = 'ui-sans-serif, system-ui, sans-serif';

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

/** Style of the map, in the colors of the theme: fill is the worst event, the outline other data. */
export const mapStyle = (token: Token): StylesheetJson => [
  {
    selector: 'node',
    style: {
      label: 'data(shown)',
      width: 16,
      height: 16,
      'background-color': token('panel'),
      'border-width': 1.5,
      'border-color': token('edge'),
      color: token('text'),
      'font-size': 'data(size)' as never,
      'font-family': FONT,
      'text-valign': 'data(side)' as never,
      'text-margin-y': 'data(gap)' as never,
      'text-background-color': token('panel'),
      'text-background-opacity': 0.85,
      'text-background-padding': '1px',
      'min-zoomed-font-size': 0,
    },
  },
  ...(Object.entries(SHAPES) as [Severity, string][]).map(([severity, shape]) => ({
    selector: `node[worst = "${severity}"]`,
    style: { 'background-color': token(severity), 'border-color': token(severity), shape: shape as 'rectangle' },
  })),
  {
    selector: 'node:selected',
    style: {
      'font-weight': 'bold',
      'z-index': 1,
      'overlay-color': token('accent'),
      'overlay-opacity': 0.25,
      'overlay-padding': 5,
    },
  },
  {
    selector: 'node[role = "cause"]',
    style: {
      width: 24,
      height: 24,
      'font-weight': 'bold',
      'z-index': 1,
      'border-width': 4,
      'border-color': token('text'),
    },
  },
  {
    selector: 'node[fold = "yes"]',
    style: { width: 22, height: 22, 'border-width': 5, 'border-style': 'double', 'border-color': token('text') },
  },
  { selector: 'node[role = "impacted"]', style: { 'border-width': 3, 'border-color': token('critical') } },
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
