import { ActionIcon, Button, Group, Modal, Select, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useOnce } from '#console/actions/use-once.ts';
import { type CiFacts, makeRelationship, removeRelationship } from '#console/api/cmdb/cmdb.ts';
import { CiPicker, type PickedCi } from '#console/cis/ci-picker.tsx';
import { wayWords } from '#console/cis/ci-words.ts';
import { PageLink } from '#console/cis/page-link.tsx';
import { Nothing } from '#console/cis/panels.tsx';
import { StateMark } from '#console/cis/state-mark.tsx';
import { useStates } from '#console/cis/use-states.ts';
import { Icon } from '#console/components/icon.tsx';
import rows from '#console/data/rows.module.css';
import { Panel } from '#console/frame/panel.tsx';
import { showError, showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { number } from '#console/text/counts.ts';
import { KNOWN_RELATIONSHIPS } from '#domain/topology/topology.ts';
import classes from './ci.module.css';
import * as text from './texts.ts';

interface Props {
  readonly ci: CiFacts;
  readonly onClose: () => void;
  readonly done: () => unknown;
}

const WAYS = (['outgoing', 'incoming'] as const).flatMap((direction) =>
  KNOWN_RELATIONSHIPS.map((type) => ({ value: `${direction} ${type}`, label: wayWords(type, direction) })),
);

/** Creates a relationship between two CIs. */
function RelateDialog({ ci, onClose, done }: Props) {
  const { call } = useAppServices();
  const [way, setWay] = useState('outgoing depends_on');
  const [other, setOther] = useState<PickedCi | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [direction, type] = way.split(' ') as ['outgoing' | 'incoming', string];

  const make = async (): Promise<void> => {
    if (other === null) return;
    const [source_ci, target_ci] = direction === 'outgoing' ? [ci._id, other.id] : [other.id, ci._id];
    setBusy(true);
    try {
      await makeRelationship(call, { type, source_ci, target_ci });
      showToast({ text: `${ci.name} ${wayWords(type, direction)} ${other.name}` });
      onClose();
      done();
    } catch (error) {
      showError(text.couldntCreateRelationship, error);
    }
    setBusy(false);
  };
  return (
    <Modal opened onClose={onClose} title={text.addRelationshipFor(ci.name)} size="lg">
      <Stack gap="md">
        <Select
          label={text.relationship}
          data={WAYS}
          value={way}
          searchable
          openOnFocus={false}
          allowDeselect={false}
          maxDropdownHeight={280}
          onChange={(next) => setWay(next ?? way)}
          data-autofocus
        />
        <CiPicker label={text.relatedCi} picked={other} onPick={setOther} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {text.cancel}
          </Button>
          <Button disabled={other === null || other.id === ci._id} loading={isBusy} onClick={() => void make()}>
            {text.add}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

type Relation = CiFacts['relationships'][number];
/** The server returns this number of both directions together. */
const MAX_TOLD = 100;
const FEW = 8;

/** Its dependencies and dependants, by name. */
export function RelationshipsPanel({ ci }: { readonly ci: CiFacts }) {
  const { call } = useAppServices();
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
      showToast({ text: text.removed(ci.name, wayWords(type, direction), name), undo });
    } catch (error) {
      showError(text.couldntRemoveRelationship, error);
    }
    await readAnew();
  };
  const [remove] = useOnce(takeAway, ({ id }) => id);

  const end = mayWrite ? (
    <Button variant="subtle" size="compact-xs" onClick={() => setRelating(true)}>
      {text.add}
    </Button>
  ) : undefined;
  return (
    <Panel
      title={relationships.length === 0 ? text.relationships : text.relationshipsOf(number(relationships.length))}
      end={end}
    >
      {relationships.length === 0 ? (
        <Nothing>{text.noRelationships}</Nothing>
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
                        aria-label={text.remove(words, one.target_name)}
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
                  {text.more(number(related.length - FEW))}
                </Button>
              ) : null}
            </section>
          ))}
          {relationships.length >= MAX_TOLD ? (
            <p className={rows.note}>
              {text.showingFirst(MAX_TOLD)} <PageLink to={`/topology?ci=${ci._id}&hops=1`}>{text.topologyMap}</PageLink>{' '}
              {text.forAll}
            </p>
          ) : null}
        </div>
      )}
      {isRelating ? <RelateDialog ci={ci} onClose={() => setRelating(false)} done={readAnew} /> : null}
    </Panel>
  );
}
