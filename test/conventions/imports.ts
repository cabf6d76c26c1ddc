import { tiesOfFeatures } from './features.ts';
import { crowdedFolders, folderCycles, MAX_FILES } from './import-layers.ts';

/* `npm run imports` ends with it. */

const problems = [
  ...folderCycles('.').map(
    ({ within, folders, imports }) =>
      `folders-form-a-line: in ${within}: ${folders.join(' → ')}\n${imports.map((line) => `      ${line}`).join('\n')}`,
  ),
  ...crowdedFolders('.').map((line) => `at-most-${MAX_FILES}-files: ${line}`),
  ...tiesOfFeatures('.').map((line) => `features-import-what-they-use: ${line}`),
];
if (problems.length === 0)
  process.stdout.write(
    `✔ folders form a line, none has more than ${MAX_FILES} files, and features import the core and what they use\n`,
  );
else {
  process.stderr.write(`${problems.map((line) => `  error ${line}`).join('\n')}\n`);
  process.exitCode = 1;
}
