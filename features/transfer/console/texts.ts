import { number } from '#console/text/counts.ts';

export const toCreate = 'to create';
export const toUpdate = 'to update';
export const preview = 'Preview';
export const result = 'Result';
export const rows = 'Rows';
export const all = 'All';
export const imported = (rows: number, failures: number) =>
  `${number(rows)} imported${failures === 0 ? '' : `, ${number(failures)} failed`}.`;
export const stoppedImport = 'Stopped: too many rows failed. Check that this is the right file.';
export const ignoredColumns = (columns: string) => `Ignored columns: ${columns}`;
export const noMatchingRows = 'No matching rows.';
export const row = 'Row';
export const rowContent = 'Row content';
export const rowsShown = (rows: string) => `${rows} rows shown. The counts above include all rows.`;
export const maximumFileSize = 'Maximum file size is 64 MiB';
export const columnReference = 'Column reference';
export const cis = 'CIs';
export const relationships = 'Relationships';
export const rowsOf = (rows: string) => `${rows} of`;
export const fileContent = 'File content';
export const progress = 'Progress';
export const fileNotValidJson = 'The file is not valid JSON';
export const importOf = (rows: string) => `Import ${rows}`;
export const importLabel = 'Import';
export const importLead =
  'Import CIs or relationships from CSV or JSON. You get a preview first; nothing is written until you confirm.';
export const chooseFile = 'Choose file';
export const chooseAnotherFile = 'Choose another file';
export const importYourCis = 'Import your CIs';
export const importYourCisHelp =
  'With CIs and their dependencies, Faultline finds root causes, not just coincidences. You get a preview before anything is written.';
export const fileFormat = 'File format';
export const orText = 'or';
export const setUpDiscovery = 'set up discovery';
export const columnsOfCis =
  '`name` and `type`, or `external_key`, identify the CI. Existing CIs are updated; others are created. `attributes.ip_address`, `attributes.hostname` and `attributes.fqdn` are used to bind events. Separate several owners in `attributes.owner` with semicolons. Empty cells are ignored.';
export const columnsOfRelationships =
  '`source_ci` depends on `target_ci` (each a name, external key or ID). Common types: `depends_on`, `runs_on`, `hosted_on`, `powered_by`, `located_in`.';
export const mapColumns = 'Map columns';
export const mapColumnsLead =
  'Choose a field for each column that was not recognized. Suggestions come from similar names and your earlier imports. Separate several owners of a CI with semicolons.';
export const updatePreview = 'Update preview';
export const column = 'Column';
export const field = 'Field';
export const fieldOf = (column: string) => `Field of ${column}`;
export const ignored = 'Ignored';
export const recognized = 'Recognized';
