import { Button, Textarea, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useOnce } from '#console/actions/use-once.ts';
import { deleteMapping, readMapping, saveMapping, type TriedEntry, tryMapping } from '#console/api/source-mappings.ts';
import { type SimpleColumn, SimpleTable } from '#console/data/simple-table.tsx';
import { ConfirmDialog } from '#console/forms/confirm-dialog.tsx';
import { Page } from '#console/frame/page.tsx';
import { Section } from '#console/frame/section.tsx';
import { showError, showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import * as nouns from '#console/text/nouns/texts.ts';
import { askedWords, FIRST_MAPPING, FIRST_SAMPLE, jsonIn, NEW, nameProblem } from './mapping-draft.ts';
import classes from './sources.module.css';
import * as text from './texts.ts';

const SOURCES = ['sources'] as const;
type Numbered = TriedEntry & { readonly n: number };
const COLUMNS: readonly SimpleColumn<Numbered>[] = [
  { title: text.action, isName: true, cell: ({ action }) => askedWords(action) },
  { title: text.id, cell: ({ sourceId }) => sourceId ?? '–' },
  { title: text.title, isWide: true, cell: ({ event }) => event?.title ?? '–' },
  { title: text.severity, cell: ({ event }) => event?.severity ?? '–' },
  { title: text.host, cell: ({ event }) => event?.hostname ?? event?.ipAddress ?? '–' },
  { title: text.tags, cell: ({ event }) => event?.tags.join(', ') || '–' },
  {
    title: text.notes,
    isWide: true,
    cell: ({ reason, missing }) => [reason, ...missing].filter(Boolean).join('; ') || '–',
  },
];

interface JsonFieldProps {
  readonly label: string;
  readonly description: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function JsonField({ label, description, value, onChange }: JsonFieldProps) {
  const read = jsonIn(value);
  return (
    <Textarea
      label={label}
      description={description}
      autosize
      minRows={6}
      maxRows={24}
      spellCheck={false}
      classNames={{ input: classes.json }}
      value={value}
      error={'problem' in read ? read.problem : undefined}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** A sample, and its result. */
function TrySection({ name, mapping }: { readonly name: string; readonly mapping: string }) {
  const { call } = useAppServices();
  const [sample, setSample] = useState(FIRST_SAMPLE);
  const [tried, setTried] = useState<readonly Numbered[] | null>(null);
  const [read, readSample] = [jsonIn(mapping), jsonIn(sample)];
  const canTry = 'value' in read && 'value' in readSample;
  const [tryOut, isTrying] = useOnce(async () => {
    if (!canTry) return;
    try {
      const results = await tryMapping(call, name, { mapping: read.value, sample: readSample.value });
      setTried(results.map((one, n) => ({ ...one, n })));
    } catch (error) {
      setTried(null);
      showError(text.couldntReadSample, error);
    }
  });
  return (
    <Section
      title={text.testWithSample}
      lead={text.testWithSampleLead}
      end={
        <Button variant="default" disabled={!canTry} loading={isTrying} onClick={() => void tryOut()}>
          {text.tryLabel}
        </Button>
      }
    >
      <div className={classes.stack}>
        <JsonField label={text.sample} description={text.sampleHelp} value={sample} onChange={setSample} />
        {tried === null ? null : (
          <SimpleTable label={text.sampleEvents} rows={tried} idOf={({ n }) => `${n}`} columns={COLUMNS} />
        )}
      </div>
    </Section>
  );
}

/** Deletes a mapping, after confirmation. */
function DeleteButton({ name }: { readonly name: string }) {
  const { call } = useAppServices();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const remove = async (): Promise<void> => {
    await deleteMapping(call, name);
    await queries.invalidateQueries({ queryKey: SOURCES });
    await navigate({ to: '/sources' });
  };
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {text.deleteLabel}
      </Button>
      <ConfirmDialog
        opened={isOpen}
        title={text.deleteMapping(name)}
        action={text.deleteLabel}
        onClose={() => setOpen(false)}
        act={remove}
      >
        {text.deleteMappingWarning}
      </ConfirmDialog>
    </>
  );
}

function MappingForm({ name, written }: { readonly name: string | null; readonly written: string }) {
  const { call } = useAppServices();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [newName, setNewName] = useState('');
  const [mapping, setMapping] = useState(written);
  const own = name ?? newName;
  const read = jsonIn(mapping);
  const canSave = 'value' in read && nameProblem(own) === null;
  const [save, isSaving] = useOnce(async () => {
    if (!canSave) return;
    try {
      await saveMapping(call, own, read.value);
      await queries.invalidateQueries({ queryKey: SOURCES });
      showToast({ text: text.mappingSaved(own) });
      await navigate({ to: '/sources/$name', params: { name: own } });
    } catch (error) {
      showError(text.couldntSaveMapping, error);
    }
  });
  return (
    <>
      <Section
        title={text.mapping}
        lead={text.mappingLead}
        end={
          <>
            {name === null ? null : <DeleteButton name={name} />}
            <Button disabled={!canSave} loading={isSaving} onClick={() => void save()}>
              {text.save}
            </Button>
          </>
        }
      >
        <div className={classes.stack}>
          {name === null ? (
            <TextInput
              label={text.name}
              description={text.nameHelp}
              value={newName}
              error={newName === '' ? undefined : nameProblem(newName)}
              onChange={({ currentTarget }) => setNewName(currentTarget.value)}
            />
          ) : null}
          <JsonField label={text.mapping} description={text.mappingHelp} value={mapping} onChange={setMapping} />
        </div>
      </Section>
      <TrySection name={own || NEW} mapping={mapping} />
    </>
  );
}

/** The mapping of a source, or a new one. */
export function MappingPage() {
  const { name = NEW } = useParams({ strict: false }) as { readonly name?: string };
  const { call } = useAppServices();
  const isNew = name === NEW;
  const query = useQuery({
    queryKey: ['sources', 'mapping', name],
    queryFn: async ({ signal }) =>
      isNew ? FIRST_MAPPING : JSON.stringify(await readMapping(call, name, signal), null, 2),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Page
      title={isNew ? text.mapAnotherSource : text.mappingOf(name)}
      scrolls
      lead={
        isNew ? <Link to="/sources">{text.allSources}</Link> : <Link to={`/sources/${name}`}>{text.viewSource}</Link>
      }
    >
      <Region query={query} what={nouns.mapping} skeleton={<Skeleton rows={8} height={48} />}>
        {(written) => <MappingForm key={name} name={isNew ? null : name} written={written} />}
      </Region>
    </Page>
  );
}
