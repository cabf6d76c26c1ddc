import { Button, Drawer, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type LetterRecord, type LetterWay, readLetter } from '#console/api/pipeline.ts';
import { FactsList } from '#console/data/facts-list.tsx';
import { JsonTree } from '#console/facts/json-tree.tsx';
import { When } from '#console/facts/when.tsx';
import { CopyButton } from '#console/forms/copy-button.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { number } from '#console/words/counts.ts';
import classes from './pipeline.module.css';
import { stageName } from './stages.ts';
import { PIPELINE } from './use-pipeline.ts';

interface Props {
  readonly id: string | null;
  readonly close: () => void;
  readonly settle?: (id: string, way: LetterWay) => Promise<void>;
}

function Body({ letter, settle, close }: Omit<Props, 'id'> & { readonly letter: LetterRecord }) {
  const { id, state, settled, not_replayable: because } = letter;
  const act = (way: LetterWay) => () => void settle?.(id, way).then(close);
  return (
    <Stack gap="md">
      <FactsList
        facts={[
          ['Why', letter.reason],
          ['Stage', stageName(letter.processor)],
          ['Rejected', <When key="at" at={letter.at} />],
          ['Tries', number(letter.attempts)],
          ['Place', `${letter.topic}, partition ${letter.partition}, offset ${number(letter.offset)}`],
          ['State', settled === null ? 'waiting' : `${state} by ${settled.by.name}: ${settled.outcome}`],
        ]}
      />
      {because === null || state !== 'waiting' ? null : <Notice title="It cannot be replayed">{because}</Notice>}
      {settle === undefined || state !== 'waiting' ? null : (
        <div className={classes.ways}>
          <Button disabled={because !== null} onClick={act('replay')}>
            Replay
          </Button>
          <Button variant="default" onClick={act('discard')}>
            Discard
          </Button>
        </div>
      )}
      <div className={classes.ways}>
        <strong>The record, as it was received</strong>
        <CopyButton text={JSON.stringify(letter.record ?? letter.value, null, 2)} />
      </div>
      {letter.record === null ? (
        <p className={classes.note}>It cannot be read. Its bytes can be copied in base64.</p>
      ) : (
        <JsonTree value={letter.record} />
      )}
    </Stack>
  );
}

/** One dead letter with its record. */
export function LetterDrawer({ id, close, settle }: Props) {
  const { call } = useParts();
  const query = useQuery({
    queryKey: [...PIPELINE, 'letter', id],
    queryFn: ({ signal }) => readLetter(call, id ?? '', signal),
    enabled: id !== null,
  });
  return (
    <Drawer opened={id !== null} onClose={close} position="right" size="xl" title="Dead letter">
      <Region query={query} what="The dead letter">
        {(letter) => <Body letter={letter} close={close} {...(settle !== undefined && { settle })} />}
      </Region>
    </Drawer>
  );
}
