import { useId } from 'react';
import { SeverityMark } from '#console/components/severity-mark.tsx';
import type { Drawing } from './drawn.ts';
import classes from './maps.module.css';
import { type Meaning, meaningsOf } from './meanings.ts';
import * as text from './texts.ts';

const LINES: ReadonlySet<Meaning['kind']> = new Set(['accepted', 'proposed', 'arrow']);

function Line({ kind }: { readonly kind: Meaning['kind'] }) {
  return (
    <svg className={classes.mark} data-kind={kind} viewBox="0 0 26 12" width="26" height="12" aria-hidden>
      <path d="M1 6h18" />
      <path className={classes.head} d="M18 2.5 25 6l-7 3.5z" />
    </svg>
  );
}

/** A node as the map draws it. */
function Disc({ kind }: { readonly kind: Meaning['kind'] }) {
  const hatching = useId();
  return (
    <svg className={classes.mark} data-kind={kind} viewBox="0 0 14 14" width="14" height="14" aria-hidden>
      {kind === 'hatched' ? (
        <pattern id={hatching} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path className={classes.stripe} d="M1 0v4" />
        </pattern>
      ) : null}
      <circle cx="7" cy="7" r="5" style={kind === 'hatched' ? { fill: `url(#${hatching})` } : undefined} />
    </svg>
  );
}

function Mark({ meaning }: { readonly meaning: Meaning }) {
  if (meaning.kind === 'events')
    return meaning.severities.map((severity) => <SeverityMark key={severity} severity={severity} bare />);
  return LINES.has(meaning.kind) ? <Line kind={meaning.kind} /> : <Disc kind={meaning.kind} />;
}

/** Meanings of the marks that this map has. */
export function Legend({ drawing }: { readonly drawing: Drawing }) {
  return (
    <ul className={classes.legend} aria-label={text.mapLegend}>
      {meaningsOf(drawing).map((meaning) => (
        <li key={meaning.kind}>
          <Mark meaning={meaning} />
          <span>{meaning.words}</span>
        </li>
      ))}
    </ul>
  );
}

interface LegendFoldProps {
  readonly drawing: Drawing;
  readonly isOpen?: boolean;
}

/** The legend of a map that has little room. */
export const LegendFold = ({ drawing, isOpen = false }: LegendFoldProps) => (
  <details className={classes.legendFold} open={isOpen}>
    <summary>{text.legend}</summary>
    <Legend drawing={drawing} />
  </details>
);
