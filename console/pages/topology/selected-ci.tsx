import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { typeWords } from '#console/cis/ci-words.ts';
import { PageLink } from '#console/cis/page-link.tsx';
import { StateMark } from '#console/cis/state-mark.tsx';
import type { Address } from '#console/hooks/use-address.ts';
import type { DrawnNode } from '#console/maps/drawn.ts';
import type { MapQuestion } from './asked.ts';
import classes from './topology.module.css';

interface Props {
  readonly node: DrawnNode;
  readonly start: string | null;
  readonly asked: MapQuestion;
  readonly address: Address;
}

/** The CI that is selected, and where one can go from it. */
export function SelectedCi({ node, start, asked, address }: Props) {
  const { id, name, type, worst, open, acknowledged, saved } = node;
  const isStart = id === start;
  return (
    <section className={classes.selected} aria-label={`Selected: ${name}`}>
      <span className={classes.selectedName}>
        <Link to={`/cis/${id}`}>{name}</Link>
        <StateMark state={{ worst, open, acknowledged }} />
      </span>
      <span className={classes.dim}>
        {typeWords(type)}
        {saved === undefined ? '' : ` · saved by redundancy: ${saved}`}
        {node.role === 'impacted' ? ' · fails too, without an event so far' : ''}
      </span>
      <span className={classes.selectedWays}>
        {isStart ? null : (
          <>
            <Button
              variant="subtle"
              size="compact-xs"
              onClick={() => address.change({ ci: id, mode: 'around', more: null })}
            >
              Around it
            </Button>
            <Button variant="subtle" size="compact-xs" onClick={() => address.change({ to: id, mode: 'way' })}>
              Way to it
            </Button>
          </>
        )}
        {isStart && asked.mode === 'impact' ? null : (
          <Button
            variant="subtle"
            size="compact-xs"
            onClick={() => address.change({ ci: id, mode: 'impact', more: null })}
          >
            What fails with it
          </Button>
        )}
        {open === 0 ? null : (
          <Button variant="subtle" size="compact-xs" component={PageLink} to={`/events?ciId=${id}`}>
            Its events
          </Button>
        )}
      </span>
    </section>
  );
}
