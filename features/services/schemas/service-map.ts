import { entryOf } from '#domain/assert.ts';
import type { ServiceDependency } from '#domain/services/dependencies.ts';
import { type Health, healthOf } from '#domain/services/health.ts';
import type { Component, Service } from '#domain/services/service.ts';
import { xmlText } from '#domain/text.ts';

/** The content of a map. */
interface ServiceMap {
  readonly service: Service;
  readonly upstream: readonly ServiceDependency[];
  readonly downstream: readonly ServiceDependency[];
  /** Health by service ID. */
  readonly health: ReadonlyMap<string, Health>;
  /** Names of CIs and what they have lost, 0 to 1, by id. */
  readonly names: ReadonlyMap<string, string>;
  readonly losses: ReadonlyMap<string, number>;
  /** Creation time, ISO 8601. */
  readonly drawnAt: string;
}

const COLOURS: Readonly<Record<Health['status'], string>> = {
  healthy: '#2e7d32',
  degraded: '#b26a00',
  critical: '#c62828',
  unknown: '#5f6368',
};
const BOX = { width: 250, height: 46, gap: 14 } as const;
const COLUMN = 340;
const MARGIN = 30;
const TOP = 90;
const ROW = 22;
/** Components listed; the rest are counted. */
const COMPONENTS = 40;
const NAME_LENGTH = 28;

const short = (text: string, length = NAME_LENGTH): string =>
  text.length <= length ? text : `${text.slice(0, length - 1)}…`;

const label = (x: number, y: number, text: string, more = ''): string =>
  `<text x="${x}" y="${y}"${more}>${xmlText(text)}</text>`;

const box = (x: number, y: number, height: number, { name, health }: { name: string; health: Health }): string => {
  const colour = COLOURS[health.status];
  return [
    `<g><title>${xmlText(name)}: ${health.status}, ${health.score} of 100</title>`,
    `<rect x="${x}" y="${y}" width="${BOX.width}" height="${height}" rx="6" fill="#ffffff" stroke="${colour}" stroke-width="2"/>`,
    `<rect x="${x}" y="${y}" width="8" height="${height}" rx="3" fill="${colour}"/>`,
    label(x + 18, y + 19, short(name), ' font-weight="600"'),
    label(x + 18, y + 37, `${health.status} · ${health.score}`, ` fill="${colour}" font-size="12"`),
    '</g>',
  ].join('');
};

const arrow = (fromX: number, fromY: number, toX: number, toY: number, type: ServiceDependency['type']): string => {
  const middle = (fromX + toX) / 2;
  const dash = type === 'optional' ? ' stroke-dasharray="6 5"' : '';
  return `<path d="M${fromX} ${fromY} C${middle} ${fromY} ${middle} ${toY} ${toX} ${toY}" fill="none" stroke="#5f6368" stroke-width="1.5"${dash} marker-end="url(#tip)"><title>${type}</title></path>`;
};

const columnHeight = (count: number): number => Math.max(0, count * (BOX.height + BOX.gap) - BOX.gap);

const componentRow = ({ names, losses }: ServiceMap, { ciId, role, redundancy }: Component, x: number, y: number) => {
  const { status } = healthOf([{ ciId, role: '', redundancy: null }], losses);
  const name = `${names.get(ciId) ?? ciId} (${role}${redundancy === null ? '' : `, ${redundancy.required} of ${redundancy.group}`})`;
  return `<circle cx="${x + 22}" cy="${y - 4}" r="5" fill="${COLOURS[status]}"><title>${status}</title></circle>${label(x + 34, y, short(name, 34), ' font-size="12"')}`;
};

const ownBox = (map: ServiceMap, x: number, y: number, height: number): string => {
  const { service, health } = map;
  const shown = service.components.slice(0, COMPONENTS);
  const rest = service.components.length - shown.length;
  const first = y + BOX.height + ROW - 4;
  return [
    box(x, y, height, { name: service.name, health: entryOf(health, service.id) }),
    ...shown.map((component, i) => componentRow(map, component, x, first + i * ROW)),
    rest > 0 ? label(x + 34, first + shown.length * ROW, `and ${rest} more`, ' font-size="12"') : '',
  ].join('');
};

/** Left what needs the service, in the middle the service with its components, right what it needs. Solid: required, dashed: optional. */
export const drawServiceMap = (map: ServiceMap): string => {
  const { service, upstream, downstream, health, drawnAt } = map;
  const rows = Math.min(service.components.length, COMPONENTS + 1);
  const ownHeight = BOX.height + (rows === 0 ? 0 : rows * ROW + 8);
  const inner = Math.max(ownHeight, columnHeight(upstream.length), columnHeight(downstream.length));
  const width = 2 * MARGIN + 2 * COLUMN + BOX.width;
  const height = TOP + inner + MARGIN;
  const top = (own: number): number => TOP + (inner - own) / 2;
  const ownX = MARGIN + COLUMN;
  const ownMiddle = top(ownHeight) + Math.min(ownHeight, BOX.height) / 2;
  const column = (
    found: readonly ServiceDependency[],
    x: number,
    join: (y: number, one: ServiceDependency) => string,
  ) =>
    found.map((one, i) => {
      const y = top(columnHeight(found.length)) + i * (BOX.height + BOX.gap);
      const its = { name: one.service.name, health: entryOf(health, one.service.id) };
      return box(x, y, BOX.height, its) + join(y + BOX.height / 2, one);
    });
  const right = MARGIN + 2 * COLUMN;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Dependency map of ${xmlText(service.name)}" font-family="system-ui, sans-serif" font-size="14" fill="#202124">`,
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="#5f6368"/></marker></defs>',
    `<rect width="${width}" height="${height}" fill="#f8f9fa"/>`,
    label(MARGIN, 34, `Dependency map of ${short(service.name, 80)}`, ' font-size="18" font-weight="600"'),
    label(MARGIN, 54, `as of ${drawnAt}; solid: required, dashed: optional`, ' font-size="12" fill="#5f6368"'),
    label(MARGIN, 78, 'Dependents', ' font-size="12" fill="#5f6368"'),
    label(right, 78, 'Dependencies', ' font-size="12" fill="#5f6368"'),
    ...column(downstream, MARGIN, (y, { type }) => arrow(MARGIN + BOX.width, y, ownX, ownMiddle, type)),
    ...column(upstream, right, (y, { type }) => arrow(ownX + BOX.width, ownMiddle, right, y, type)),
    ownBox(map, ownX, top(ownHeight), ownHeight),
    '</svg>',
  ].join('\n');
};
