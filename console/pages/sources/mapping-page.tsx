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
import { say, sayFailure } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { askedWords, FIRST_MAPPING, FIRST_SAMPLE, jsonIn, NEW, nameProblem } from './mapping-draft.ts';
import classes from './sources.module.css';

const SOURCES = ['sources'] as const;
type Numbered = TriedEntry & { readonly n: number };
const COLUMNS: readonly SimpleColumn<Numbered>[] = [
  { title: 'Action', isName: true, cell: ({ action }) => askedWords(action) },
  { title: 'ID', cell: ({ sourceId }) => sourceId ?? '–' },
  { title: 'Title', isWide: true, cell: ({ event }) => event?.title ?? '–' },
  { title: 'Severity', cell: ({ event }) => event?.severity ?? '–' },
  { title: 'Host', cell: ({ event }) => event?.hostname ?? event?.ipAddress ?? '–' },
  { title: 'Tags', cell: ({ event }) => event?.tags.join(', ') || '–' },
  {
    title: 'Notes',
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

/** A sample, and what would come of it. */
function TrySection({ name, mapping }: { readonly name: string; readonly mapping: string }) {
  const { call } = useParts();
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
      sayFailure("Couldn't read the sample", error);
    }
  });
  return (
    <Section
      title="Try it on a sample"
      lead="Nothing is stored."
      end={
        <Button variant="default" disabled={!canTry} loading={isTrying} onClick={() => void tryOut()}>
          Try
        </Button>
      }
    >
      <div className={classes.stack}>
        <JsonField
          label="Sample"
          description="A payload as the monitoring system sends it"
          value={sample}
          onChange={setSample}
        />
        {tried === null ? null : (
          <SimpleTable label="Events of the sample" rows={tried} idOf={({ n }) => `${n}`} columns={COLUMNS} />
        )}
      </div>
    </Section>
  );
}

/** Takes a mapping away, after one more question. */
function DeleteButton({ name }: { readonly name: string }) {
  const { call } = useParts();
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
        Delete
      </Button>
      <ConfirmDialog
        opened={isOpen}
        title={`Delete the mapping ${name}?`}
        action="Delete"
        onClose={() => setOpen(false)}
        act={remove}
      >
        Its webhook URL stops working. Its events are kept.
      </ConfirmDialog>
    </>
  );
}

function MappingForm({ name, written }: { readonly name: string | null; readonly written: string }) {
  const { call } = useParts();
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
      say({ text: `Mapping saved. Send payloads to /api/events/webhook/${own}` });
      await navigate({ to: '/sources/$name', params: { name: own } });
    } catch (error) {
      sayFailure("Couldn't save the mapping", error);
    }
  });
  return (
    <>
      <Section
        title="Mapping"
        lead="Which payload fields become which event fields. Paths start with $."
        end={
          <>
            {name === null ? null : <DeleteButton name={name} />}
            <Button disabled={!canSave} loading={isSaving} onClick={() => void save()}>
              Save
            </Button>
          </>
        }
      >
        <div className={classes.stack}>
          {name === null ? (
            <TextInput
              label="Name"
              description="Part of the webhook URL, and the source of its events"
              value={newName}
              error={newName === '' ? undefined : nameProblem(newName)}
              onChange={({ currentTarget }) => setNewName(currentTarget.value)}
            />
          ) : null}
          <JsonField label="Mapping" description="JSON" value={mapping} onChange={setMapping} />
        </div>
      </Section>
      <TrySection name={own || NEW} mapping={mapping} />
    </>
  );
}

/** The mapping of a source, or a new one. */
export function MappingPage() {
  const { name = NEW } = useParams({ strict: false }) as { readonly name?: string };
  const { call } = useParts();
  const isNew = name === NEW;
  const query = useQuery({
    queryKey: ['sources', 'mapping', name],
    queryFn: async ({ signal }) =>
      isNew ? FIRST_MAPPING : JSON.stringify(await readMapping(call, name, signal), null, 2),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Page
      title={isNew ? 'Map another source' : `Mapping of ${name}`}
      scrolls
      lead={isNew ? <Link to="/sources">All sources</Link> : <Link to={`/sources/${name}`}>The source</Link>}
    >
      <Region query={query} what="The mapping" skeleton={<Skeleton rows={8} height={48} />}>
        {(written) => <MappingForm key={name} name={isNew ? null : name} written={written} />}
      </Region>
    </Page>
  );
}
