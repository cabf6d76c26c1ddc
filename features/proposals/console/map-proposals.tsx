import { Button } from '@mantine/core';
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { useAttempt } from '#console/actions/use-attempt.ts';
import { wayWords } from '#console/cis/ci-words.ts';
import choice from '#console/data/choice.module.css';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { useRead } from '#console/hooks/use-read.ts';
import classes from '#console/pages/topology/topology.module.css';
import type { MapPartProps } from '#console/slots/feature.ts';
import { number } from '#console/text/counts.ts';
import { percent } from '#domain/numbers.ts';
import { acceptProposal, openProposals, type Proposal, rejectProposal } from './api.ts';
import { proposedEdges } from './proposed-edges.ts';
import * as text from './texts.ts';

/** Proposals have their own request limit, so they are read less often than a map. */
const PACE_MS = 10_000;
/** No event announces a new proposal. */
const LOOK_AGAIN_MS = 60_000;
const NONE: readonly Proposal[] = [];

/** Returns undecided AI proposals; none for a map of the past. */
const useProposals = (isNow: boolean): readonly Proposal[] => {
  const found = useRead(['topology', 'proposals'], (call, signal) => openProposals(call, signal), {
    enabled: isNow,
    staleTime: 0,
    refetchInterval: LOOK_AGAIN_MS,
  });
  useLive(['topology'], () => isNow && found.refetch(), undefined, PACE_MS);
  return isNow ? (found.data?.relationships ?? NONE) : NONE;
};

const wordsOf = ({ sourceName, targetName, type }: Proposal): string =>
  `${sourceName} ${wayWords(type.replaceAll('-', '_'), 'outgoing')} ${targetName}`;

/** The decision about one. */
function Decision({ proposal, done }: { readonly proposal: Proposal; readonly done: () => void }) {
  const { call } = useAppServices();
  const attempt = useAttempt(['topology']);
  const words = wordsOf(proposal);
  const accept = async (): Promise<void> => {
    done();
    await attempt(() => acceptProposal(call, proposal.id), {
      done: text.accepted(words),
      failed: text.couldntAcceptProposal,
    });
  };
  const refuse = async (): Promise<void> => {
    done();
    await attempt(() => rejectProposal(call, proposal.id), {
      done: text.rejected(words),
      failed: text.couldntRejectProposal,
    });
  };
  return (
    <span className={classes.selectedWays}>
      <Button variant="default" size="compact-xs" onClick={() => void accept()}>
        {text.accept}
      </Button>
      <Button variant="subtle" size="compact-xs" onClick={() => void refuse()}>
        {text.reject}
      </Button>
    </span>
  );
}

/** Shows AI proposals on the map: a user accepts or rejects them. */
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
    <section className={classes.proposals} aria-label={text.aiProposals}>
      <h2 className={classes.proposalsHead}>{text.aiProposalsOf(number(proposals.length))}</h2>
      <p className={classes.dim}>{text.noEffectUntilAccepted}</p>
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
              {wordsOf(one)} <span className={classes.dim}>{text.confidence(percent(one.confidence))}</span>
            </button>
            {one.id === selected && mayDecide ? <Decision proposal={one} done={() => onSelect(null)} /> : null}
            {one.id === selected && !mayDecide ? <p className={classes.dim}>{text.requiresCmdbWrite}</p> : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
