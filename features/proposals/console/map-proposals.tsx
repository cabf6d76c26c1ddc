import { Button } from '@mantine/core';
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { useAttempt } from '#console/actions/use-attempt.ts';
import { wayWords } from '#console/cis/ci-words.ts';
import choice from '#console/data/choice.module.css';
import { useParts } from '#console/hooks/parts.ts';
import { useMay } from '#console/hooks/use-me.ts';
import classes from '#console/pages/topology/topology.module.css';
import type { MapPartProps } from '#console/slots/feature.ts';
import { number, percent } from '#console/words/counts.ts';
import { acceptProposal, type Proposal, refuseProposal } from './api.ts';
import { proposedEdges } from './proposed-edges.ts';
import { useProposals } from './use-proposals.ts';

const wordsOf = ({ sourceName, targetName, type }: Proposal): string =>
  `${sourceName} ${wayWords(type.replaceAll('-', '_'), 'outgoing')} ${targetName}`;

/** The decision about one. */
function Decision({ proposal, done }: { readonly proposal: Proposal; readonly done: () => void }) {
  const { call } = useParts();
  const attempt = useAttempt(['topology']);
  const words = wordsOf(proposal);
  const accept = async (): Promise<void> => {
    done();
    await attempt(() => acceptProposal(call, proposal.id), {
      done: `Accepted ${words}`,
      failed: "Couldn't accept the proposal",
    });
  };
  const refuse = async (): Promise<void> => {
    done();
    await attempt(() => refuseProposal(call, proposal.id), {
      done: `Rejected ${words}. It is not proposed again for 90 days`,
      failed: "Couldn't reject the proposal",
    });
  };
  return (
    <span className={classes.selectedWays}>
      <Button variant="default" size="compact-xs" onClick={() => void accept()}>
        Accept
      </Button>
      <Button variant="subtle" size="compact-xs" onClick={() => void refuse()}>
        Reject
      </Button>
    </span>
  );
}

/** Relationships on the map that AI proposes: somebody says whether they are there. */
export function MapProposals({ isNow, drawn, selected, onSelect, propose }: MapPartProps) {
  const all = useProposals(isNow);
  const proposals = all.filter(({ id }) => drawn.has(id));
  const tell = useEffectEvent(propose);
  useLayoutEffect(() => tell(proposedEdges(all)), [all]);
  const mayDecide = useMay('cmdb.write');
  const chosen = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (selected !== null) chosen.current?.focus();
  }, [selected]);
  if (proposals.length === 0) return null;
  return (
    <section className={classes.proposals} aria-label="Proposed by AI">
      <h2 className={classes.proposalsHead}>Proposed by AI: {number(proposals.length)}</h2>
      <p className={classes.dim}>No failure goes this way until somebody accepts it.</p>
      <ul className={classes.changes}>
        {proposals.map((one) => (
          <li key={one.id}>
            <button
              ref={one.id === selected ? chosen : undefined}
              type="button"
              className={`${choice.choice} ${classes.proposal}`}
              aria-expanded={one.id === selected}
              onClick={() => onSelect(one.id === selected ? null : one.id)}
            >
              {wordsOf(one)} <span className={classes.dim}>{percent(one.confidence)} sure</span>
            </button>
            {one.id === selected && mayDecide ? <Decision proposal={one} done={() => onSelect(null)} /> : null}
            {one.id === selected && !mayDecide ? (
              <p className={classes.dim}>Whoever may change CIs accepts or refuses it.</p>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
