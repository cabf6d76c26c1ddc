import type { Drawing } from './drawn.ts';
import classes from './maps.module.css';

const has = ({ nodes }: Drawing, role: Drawing['nodes'][number]['role']): boolean =>
  nodes.some((node) => node.role === role);

/** Meanings of the marks that this map has. */
export function Legend({ drawing }: { readonly drawing: Drawing }) {
  const words = [
    'Shape and fill: worst open event, as in lists; empty: none.',
    has(drawing, 'cause') ? 'Thick outline: probable cause.' : '',
    has(drawing, 'impacted') ? 'Ring: fails too, without an event.' : '',
    has(drawing, 'protected') ? 'Hatched: safe by redundancy.' : '',
    drawing.edges.some(({ isFromAi }) => isFromAi) ? 'Dashed line: proposed by AI, and accepted.' : '',
    'An arrow goes from what others need to what needs it.',
  ];
  return <p className={classes.legend}>{words.filter((one) => one !== '').join(' ')}</p>;
}
