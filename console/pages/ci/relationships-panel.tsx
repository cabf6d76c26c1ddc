import { ActionIcon, Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useOnce } from '#console/actions/use-once.ts';
import { type CiFacts, makeRelationship, removeRelationship } from '#console/api/cmdb/cmdb.ts';
import { wayWords } from '#console/cis/ci-words.ts';
import { PageLink } from '#console/cis/page-link.tsx';
import { Nothing } from '#console/cis/panels.tsx';
import { StateMark } from '#console/cis/state-mark.tsx';
import { useStates } from '#console/cis/use-states.ts';
import rows from '#console/data/rows.module.css';
import { Icon } from '#console/facts/icon.tsx';
import { Panel } from '#console/frame/panel.tsx';
import { say, sayFailure } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { number } from '#console/words/counts.ts';
import classes from './ci.module.css';
import { RelateDialog } from './relate-dialog.tsx';

type Relation = CiFacts['relationships'][number];
/** The server tells so many of both directions together. */
const MOST_TOLD = 100;
const FEW = 8;

/** Its dependencies and dependants, by name. */
export function RelationshipsPanel({ ci }: { readonly ci: CiFacts }) {
  const { call } = useParts();
  const queries = useQueryClient();
  const mayWrite = useMay('cmdb.write');
  const [isRelating, setRelating] = useState(false);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const { relationships } = ci;
  const states = useStates(relationships.map(({ target_ci }) => target_ci));
  const byWay = Map.groupBy(relationships, ({ type, direction }) => wayWords(type, direction));
  const readAnew = () => queries.invalidateQueries({ queryKey: ['cis'] });

  const takeAway = async ({ id, type, direction, target_ci: other, target_name: name }: Relation): Promise<void> => {
    const [source_ci, target_ci] = direction === 'outgoing' ? [ci._id, other] : [other, ci._id];
    try {
      await removeRelationship(call, id);
      const undo = async (): Promise<void> => {
        await makeRelationship(call, { type, source_ci, target_ci });
        await readAnew();
      };
      say({ text: `No longer: ${ci.name} ${wayWords(type, direction)} ${name}`, undo });
    } catch (error) {
      sayFailure('The relationship could not be taken away', error);
    }
    await readAnew();
  };
  const [remove] = useOnce(takeAway, ({ id }) => id);

  const end = mayWrite ? (
    <Button variant="subtle" size="compact-xs" onClick={() => setRelating(true)}>
      Add
    </Button>
  ) : undefined;
  return (
    <Panel title={relationships.length === 0 ? 'Related to' : `Related to ${number(relationships.length)}`} end={end}>
      {relationships.length === 0 ? (
        <Nothing>Nothing. With relationships its failure is told from what only suffers by it.</Nothing>
      ) : (
        <div className={classes.ways}>
          {[...byWay].map(([words, related]) => (
            <section key={words} className={classes.way}>
              <h3 className={classes.wayHead}>{words}</h3>
              <ul className={classes.plainList}>
                {(open.has(words) ? related : related.slice(0, FEW)).map((one) => (
                  <li key={one.id} className={classes.related}>
                    <Link to={`/cis/${one.target_ci}`}>{one.target_name}</Link>
                    <StateMark state={states[one.target_ci]} />
                    {mayWrite ? (
                      <ActionIcon
                        size={24}
                        className={classes.remove}
                        aria-label={`Take away: ${words} ${one.target_name}`}
                        onClick={() => void remove(one)}
                      >
                        <Icon name="close" size={12} />
                      </ActionIcon>
                    ) : null}
                  </li>
                ))}
              </ul>
              {related.length > FEW && !open.has(words) ? (
                <Button variant="subtle" size="compact-xs" onClick={() => setOpen(new Set([...open, words]))}>
                  {number(related.length - FEW)} more
                </Button>
              ) : null}
            </section>
          ))}
          {relationships.length >= MOST_TOLD ? (
            <p className={rows.note}>
              The first {MOST_TOLD} are shown; <PageLink to={`/topology?ci=${ci._id}&hops=1`}>its map</PageLink> has
              more.
            </p>
          ) : null}
        </div>
      )}
      {isRelating ? <RelateDialog ci={ci} onClose={() => setRelating(false)} done={readAnew} /> : null}
    </Panel>
  );
}
