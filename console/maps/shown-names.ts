import type { Core } from 'cytoscape';
import { severityRank } from '#domain/event/event.ts';
import type { Drawing, DrawnNode } from './drawn.ts';
import { FONT } from './map-style.ts';
import { NAME_GAP, placedNames } from './names.ts';

/** Height of names on the screen at any zoom, px. */
export const NAME_PX = 11;
const CAUSE_PX = 13;
const LINE_PX = 15;
export const MAX_NAME_PX = 130;
/** Width of a name, px; of the cause's as it is drawn, larger and bold. */
export const openMeasure = () => {
  const context = document.createElement('canvas').getContext('2d');
  return ({ name, role }: Pick<DrawnNode, 'name' | 'role'>): number => {
    if (context === null) return name.length * 6;
    context.font = role === 'cause' ? `bold ${CAUSE_PX}px ${FONT}` : `bold ${NAME_PX}px ${FONT}`;
    return context.measureText(name).width;
  };
};

/** The name as far as it fits. */
const cut = (name: string, width: number): string =>
  width <= MAX_NAME_PX ? name : `${name.slice(0, Math.floor((name.length * MAX_NAME_PX) / width) - 1)}…`;

const ROLE_RANKS: Readonly<Record<DrawnNode['role'], number>> = {
  cause: 1_000,
  impacted: 3,
  protected: 3,
  victim: 2,
  between: 1,
  plain: 0,
};
const SELECTED_RANK = 2_000;

/** Shows the names that can be read at this zoom, in order of role and severity; and the one below the pointer. */
export const showNames = (map: Core, drawing: Drawing, measure: ReturnType<typeof openMeasure>): void => {
  const zoom = map.zoom();
  const known = new Map(drawing.nodes.map((node) => [node.id, node]));
  const widths = new Map(drawing.nodes.map((node) => [node.id, measure(node)]));
  const onScreen = map.nodes().map((node) => {
    const id = node.id();
    const [{ x, y }, { role = 'plain', worst = null } = {}] = [node.renderedPosition(), known.get(id)];
    const isAsked = node.selected() || node.hasClass('pointed');
    const rank = (isAsked ? SELECTED_RANK : 0) + ROLE_RANKS[role] * 10 + (worst === null ? 0 : 1 + severityRank(worst));
    const width = Math.min(MAX_NAME_PX, widths.get(id) ?? 0);
    return { id, x, y, radius: (node.renderedOuterHeight() as number) / 2, width, rank };
  });
  const placed = new Map(placedNames(onScreen, LINE_PX).map((name) => [name.id, name]));
  map.batch(() => {
    for (const node of map.nodes()) {
      const place = placed.get(node.id());
      const drawn = known.get(node.id());
      const isForced = node.hasClass('pointed') || node.selected();
      const side = place?.side ?? 'bottom';
      node.data({
        shown:
          drawn === undefined || (place === undefined && !isForced) ? '' : cut(drawn.name, widths.get(node.id()) ?? 0),
        size: (drawn?.role === 'cause' ? CAUSE_PX : NAME_PX) / zoom,
        side,
        gap: (side === 'bottom' ? NAME_GAP : -NAME_GAP) / zoom,
      });
    }
  });
};
