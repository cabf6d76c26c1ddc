import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { findServices } from '#console/api/services.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { Region } from '#console/states/region.tsx';
import * as text from './texts.ts';
import { ValueList, ValueSearch } from './value-list.tsx';

interface Props {
  readonly words: string;
  readonly isSet: (value: string) => boolean;
  readonly choose: (value: string) => void;
}

const TYPING_MS = 200;

/** Business services by name. A name with a comma would be two in the address: its value is the id. */
export function ServiceValues({ words, isSet, choose }: Props) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), TYPING_MS);
  const found = useRead(['services', 'found', search], (call, signal) => findServices(call, search, signal), {
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <ValueSearch label={words} placeholder={text.searchServices} typed={typed} onTyped={setTyped} />
      <Region query={found} what={text.services}>
        {(services) => (
          <ValueList
            isFound
            values={services.map(({ id, name }) => ({ value: name.includes(',') ? id : name, words: name }))}
            isSet={isSet}
            choose={choose}
          />
        )}
      </Region>
    </>
  );
}
